/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice by settings, by a row of the registry and by rules. */
#include "grid.h"

#include <limits.h>

#define NATIVE "native", 0, 0
#define ANY "chain", 1, INT64_MAX
#define N(blocks) blocks, blocks
#define WHOLE ((int64_t)8 * INT_MAX) /* bytes of INT_MAX elements of 8 bytes */

/* Eight ranks that share memory on a node of their own. */
static const struct machine sharing = {
    .nodes = 1, .node_ranks = 8, IN_ORDER, .one_node = true, .shared_tried = true, .cell = 64 * K};

static const struct {
    const char *text[ENV]; /* settings; a rule has a "->" */
    struct facts facts;
    const char *engine;
    int64_t least, most; /* numbers of blocks */
    enum reason reason;
} table[] = {
    {{"PLEACH_ENGINE=chain"}, {BCAST(8, 0, 16 * K - 1)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_ENGINE=chain"}, {BCAST(8, 0, 16 * K)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_SCAN_THRESHOLD=512"}, {SCAN(OP_EXACT, 8, 512)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_SCAN_THRESHOLD=512"}, {EXSCAN(OP_EXACT, 8, 512)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=0"}, {BCAST(8, 0, 1)}, "chain", N(1), REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=0"}, {BCAST(8, 0, 0)}, NATIVE, REASON_ZERO_BYTES},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=inf"}, {BCAST(8, 0, HUGE_MESSAGE)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=inf"}, {BCAST(8, 0, INT64_MAX)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{NULL}, {BCAST(1, 0, M)}, NATIVE, REASON_ONE_RANK},
    {{NULL}, {BCAST(2, 0, 0)}, NATIVE, REASON_ZERO_BYTES}, /* and not: below the threshold */
    {{"PLEACH_ENGINE=chain"}, {ON(spread, SCAN, EXACT, 8, 0, M, 0)}, NATIVE, REASON_ZERO_BYTES},
    {{"PLEACH_DISABLE=yes", "PLEACH_ENGINE=chain"}, {BCAST(8, 0, M)}, NATIVE, REASON_DISABLED},
    {{"PLEACH_DISABLE=yes"}, {FACTS(COLL_BCAST, OP_NONE, REASON_INTERCOMM, 8, 0, M, M, &spread)}, NATIVE, REASON_INTERCOMM},
    {{"PLEACH_ENGINE=chain"}, {FACTS(COLL_SCAN, OP_EXACT, REASON_MISMATCH, 8, 0, M, M, &full)}, NATIVE, REASON_MISMATCH},
    {{"PLEACH_ENGINE=random:1"},
     {FACTS(COLL_SCAN, OP_EXACT, REASON_NO_CONTEXT, 1, 0, 0, 0, &full)},
     NATIVE,
     REASON_NO_CONTEXT},
    {{"PLEACH_ENGINE=native"}, {BCAST(8, 0, M)}, NATIVE, REASON_FORCED},
    {{"PLEACH_ENGINE=native"}, {BCAST(8, 0, K)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_BCAST_ENGINE=native", "PLEACH_ENGINE=chain"}, {REDUCE(OP_EXACT, 8, 0, M)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=ring"}, {BCAST(8, 0, M)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=native:binomial"}, {BCAST(8, 0, M)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=native:binomial"}, {ON(switching, BCAST, NONE, 8, 0, M, M)}, "native:binomial", N(0), REASON_FORCED},
    {{"PLEACH_ENGINE=native:binomial"}, {ON(switching, BCAST, NONE, 8, 0, 1, 1)}, "native:binomial", N(0), REASON_FORCED},
    {{"PLEACH_ENGINE=native:binomial", "PLEACH_THRESHOLD=64K"},
     {ON(switching, BCAST, NONE, 8, 0, K, K)},
     NATIVE,
     REASON_BELOW_THRESHOLD},
    {{NULL}, {ON(switching, BCAST, NONE, 8, 0, K, K)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_LEARN=file"}, {ON(switching, BCAST, NONE, 8, 0, K, K)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_ENGINE=chain"}, {REDUCE(OP_ORDERED, 8, 3, M)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain"}, {REDUCE(OP_ORDERED, 8, 7, M)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, {REDUCE(OP_ROUNDS, 8, 3, M)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain,ring"}, {REDUCE(OP_ORDERED, 8, 3, M)}, "ring", 1, INT64_MAX, REASON_FORCED},
    {{"PLEACH_ENGINE=chain,ring"}, {REDUCE(OP_ORDERED, 8, 0, M)}, ANY, REASON_FORCED}, /* one round less than ring */
    {{"PLEACH_ENGINE=native,ring"}, {BCAST(8, 0, M)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain,two-tree"}, {BCAST(4, 1, M)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain,two-tree"}, {BCAST(1000, 1, M)}, "two-tree", 2, INT64_MAX, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, {BCAST(100000, 1, 64 * K)}, ANY, REASON_FORCED}, /* although native is faster */
    {{"PLEACH_ENGINE=native,chain"}, {BCAST(100000, 1, 64 * K)}, NATIVE, REASON_FORCED},
    {{"PLEACH_ENGINE=native,chain"}, {SCAN(OP_ORDERED, 8, 16 * M)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=circulant"}, {ON(pairs, REDUCE, ROUNDS, 9, 1, M, M / 8)}, "circulant", 2, 99, REASON_FORCED},
    {{"PLEACH_ALPHA=1s"}, {SCAN(OP_ORDERED, 1000, 64 * K)}, NATIVE, REASON_NATIVE_FASTER},
    {{NULL}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, NATIVE, REASON_OVERSUBSCRIBED},
    {{"PLEACH_ENGINE=^ring"}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, NATIVE, REASON_OVERSUBSCRIBED},
    {{"PLEACH_ENGINE=^native"}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, ANY, REASON_MODEL},
    {{"PLEACH_ENGINE=^native"}, {ON(full, SCAN, EXACT, 8, 0, K - 1, M)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"-> engine=^native"}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, ANY, REASON_MODEL},
    {{"PLEACH_ENGINE=chain"}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, ANY, REASON_FORCED},
    {{NULL}, {ON(full, SCAN, EXACT, 8, 0, 1 * K - 1, M)}, NATIVE, REASON_BELOW_THRESHOLD},
    /* the number of blocks */
    {{"PLEACH_ENGINE=chain"}, {BCAST(2, 0, 256 * K)}, "chain", N(1), REASON_FORCED},     /* two ranks have no pipeline */
    {{"PLEACH_ENGINE=chain"}, {BCAST(2, 0, 256 * K + 1)}, "chain", N(2), REASON_FORCED}, /* at most 256K a block */
    {{"PLEACH_ENGINE=chain", "PLEACH_ALPHA=1ns"}, {BCAST(2, 0, M)}, "chain", N(4), REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_ALPHA=100ns"}, {BCAST(3, 0, M)}, "chain", N(128), REASON_FORCED}, /* at least 8K */
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=64K"}, {BCAST(8, 0, 10 * M)}, "chain", N(160), REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=64K"}, {BCAST(8, 0, 10 * M + 1)}, "chain", N(161), REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_BLOCK=64K"}, {BCAST(8, 0, 10 * M + 1)}, "two-tree", N(162), REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_BLOCK=inf"}, {BCAST(8, 0, M)}, "two-tree", N(2), REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=inf"}, {BCAST(8, 0, M)}, "chain", N(1), REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=inf"}, {BCAST(8, 0, HUGE_MESSAGE)}, "chain", N(1024), REASON_FORCED}, /* 1G */
    /* PLEACH_BLOCK=inf: a user-defined operation gets the whole count, if that is an int */
    {{"PLEACH_ENGINE=two-tree", "PLEACH_BLOCK=inf"}, {SCAN(OP_EXACT, 8, M)}, "two-tree", N(2), REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_BLOCK=inf"}, {SCAN(OP_ORDERED, 8, M)}, "two-tree", N(1), REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_REDUCE_BLOCK=inf"}, {REDUCE(OP_ORDERED, 8, 3, M)}, "two-tree", N(1), REASON_FORCED},
    {{"-> engine=two-tree block=inf"}, {EXSCAN(OP_ORDERED, 8, M)}, "two-tree", N(1), REASON_RULE},
    {{"PLEACH_BLOCK=64K", "-> engine=two-tree block=inf"}, {SCAN(OP_ORDERED, 8, M)}, "two-tree", N(16), REASON_RULE},
    {{"PLEACH_ENGINE=^native", "PLEACH_BLOCK=inf"}, {SCAN(OP_ORDERED, 8, WHOLE)}, "doubling", N(1), REASON_MODEL},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=inf"}, {SCAN(OP_ORDERED, 8, WHOLE)}, "chain", N(1), REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=inf"}, {SCAN(OP_ORDERED, 8, WHOLE + 8)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=inf"}, {SCAN(OP_EXACT, 8, WHOLE + 8)}, "chain", N(16), REASON_FORCED},
    {{"-> block=inf"}, {REDUCE(OP_ORDERED, 8, 0, WHOLE + 8)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=1"}, {SCAN(OP_EXACT, 8, 80000)}, "chain", N(10000), REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=20"}, {SCAN(OP_EXACT, 8, 80000)}, "chain", N(5000), REASON_FORCED}, /* 16 bytes */
    {{"PLEACH_ENGINE=chain", "PLEACH_SCAN_BLOCK=1M"}, {EXSCAN(OP_EXACT, 3, 80000)}, "chain", 1, 9999, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, {ON(spread, SCAN, ORDERED, 8, 0, 5 * M, 5)}, "chain", N(5), REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, {ON(spread, SCAN, ORDERED, 8, 0, M, 1)}, "chain", N(1), REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_THRESHOLD=1"}, {BCAST(8, 0, 1)}, "two-tree", N(1), REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_THRESHOLD=1", "PLEACH_BLOCK=1"}, {BCAST(8, 0, 3)}, "two-tree", N(3), REASON_FORCED},
    {{"PLEACH_ENGINE=fractional"}, {BCAST(8, 0, 64 * K)}, "fractional", 2, 100, REASON_FORCED},
    {{"PLEACH_ENGINE=fractional"}, {REDUCE(OP_ORDERED, 8, 0, M)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=fractional"}, {SCAN(OP_EXACT, 8, M)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain"}, {BCAST(8, 0, HUGE_MESSAGE)}, "chain", HUGE_MESSAGE / (256 * K), HUGE_MESSAGE, REASON_FORCED},
    /* an engine that is as fast as an earlier one does not replace it */
    {{"PLEACH_ENGINE=chain,fractional"}, {BCAST(8, 0, M)}, ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=native,chain"}, {BCAST(2, 0, 64 * K)}, NATIVE, REASON_FORCED},
    {{"PLEACH_ENGINE=native,chain"}, {BCAST(8, 0, M)}, ANY, REASON_FORCED},
    /* draws: each seed always gives the same engine */
    {{"PLEACH_ENGINE=random:3"}, {EXSCAN(OP_EXACT, 8, M)}, "doubly-pipelined", 2, 99, REASON_RANDOM},
    {{"PLEACH_ENGINE=random:5"}, {EXSCAN(OP_EXACT, 8, M)}, "smp", 2, 99, REASON_RANDOM},
    {{"PLEACH_ENGINE=random:8"}, {REDUCE(OP_ORDERED, 8, 3, M)}, "two-tree", 2, 99, REASON_RANDOM},
    /* what a rule changes, and what takes precedence over it */
    {{"-> engine=binomial"}, {BCAST(8, 0, M)}, "binomial", 1, INT64_MAX, REASON_RULE},
    {{"-> engine=binomial block=100K"}, {BCAST(8, 0, M)}, "binomial", N(11), REASON_RULE},
    {{"PLEACH_BLOCK=512K", "-> engine=binomial block=100K"}, {BCAST(8, 0, M)}, "binomial", N(2), REASON_RULE},
    {{"-> engine=native"}, {SCAN(OP_EXACT, 8, 16 * M)}, NATIVE, REASON_RULE},
    {{"-> engine=native,chain"}, {SCAN(OP_EXACT, 8, 16 * M)}, ANY, REASON_RULE},
    {{"-> engine=^chain"}, {SCAN(OP_EXACT, 8, 16 * M)}, "two-tree", 1, INT64_MAX, REASON_MODEL},
    {{"-> engine=auto"}, {SCAN(OP_EXACT, 8, 16 * M)}, ANY, REASON_MODEL},
    {{"-> alpha=1s"}, {SCAN(OP_EXACT, 8, 16 * M)}, NATIVE, REASON_NATIVE_FASTER},
    {{"PLEACH_ALPHA=5us", "-> alpha=1s"}, {SCAN(OP_EXACT, 8, 16 * M)}, ANY, REASON_MODEL},
    {{"PLEACH_ENGINE=two-tree", "-> engine=binomial"}, {BCAST(8, 0, M)}, "two-tree", 1, INT64_MAX, REASON_FORCED},
    {{"PLEACH_ENGINE=^binomial", "-> engine=binomial,chain"}, {BCAST(8, 0, M)}, ANY, REASON_RULE},
    {{"PLEACH_ENGINE=^chain", "-> engine=chain"}, {SCAN(OP_EXACT, 8, 16 * M)}, "two-tree", 1, INT64_MAX, REASON_MODEL},
    {{"-> engine=chain"}, {REDUCE(OP_ORDERED, 8, 7, 16 * M)}, ANY, REASON_RULE},
    {{"-> engine=chain"}, {REDUCE(OP_ORDERED, 8, 3, 16 * M)}, "ring", 1, INT64_MAX, REASON_MODEL}, /* chain does not fit */
    {{"-> engine=chain"}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, ANY, REASON_RULE},
    {{"-> engine=^chain"}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, NATIVE, REASON_OVERSUBSCRIBED},
    {{"-> engine=chain"}, {BCAST(8, 0, 16 * K - 1)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"-> engine=chain"}, {ON(sharing, SCAN, EXACT, 8, 0, 512, 64)}, "node-tree", N(1), REASON_MODEL},
    {{"-> engine=native"}, {ON(sharing, SCAN, EXACT, 8, 0, 512, 64)}, NATIVE, REASON_RULE},
    {{"op=user -> engine=butterfly block=inf"}, {ALLREDUCE(OP_ORDERED, 16, M)}, NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_SCAN_THRESHOLD=1K"}, {ON(sharing, SCAN, EXACT, 8, 0, 512, 64)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"-> engine=native:scatter-ring-allgather,binomial alpha=1s"},
     {ON(switching, BCAST, NONE, 8, 0, K, K)},
     "native:scatter-ring-allgather",
     N(0),
     REASON_RULE},
    {{"bytes=1K-16K -> engine=chain"}, {BCAST(8, 0, K)}, ANY, REASON_RULE}, /* a rule that names a least size */
    {{"bytes=1K-16K -> engine=chain"}, {BCAST(8, 0, K - 1)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"bytes=0-16K -> engine=chain"}, {BCAST(8, 0, 2 * K)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"bytes=1K-16K -> engine=^chain"}, {BCAST(8, 0, 2 * K)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"bytes=1K-16K -> engine=native"}, {BCAST(8, 0, 2 * K)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"bytes=1K-16K -> block=1K"}, {BCAST(8, 0, 2 * K)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_THRESHOLD=8K", "bytes=1K-16K -> engine=chain"}, {BCAST(8, 0, 2 * K)}, NATIVE, REASON_BELOW_THRESHOLD},
};

LOOPED_TEST(plans, COUNT(table))
{
    const char *env[ENV] = {NULL};
    char text[200] = "pleach-rules 1\n";
    for (int i = 0, n = 0; i < ENV && table[_i].text[i]; i++)
        if (strstr(table[_i].text[i], "->"))
            strcat(text, table[_i].text[i]);
        else
            env[n++] = table[_i].text[i];
    struct settings s = read_settings(env);
    struct rules *r = rules_parse(text, NULL, NULL);
    ck_assert_ptr_nonnull(r);
    struct machine ruled = *table[_i].facts.machine;
    struct facts f = table[_i].facts;
    int64_t from[COLLECTIVES];
    rules_from(r, f.ranks, algorithms_any(&ruled.algorithms), from);
    ruled.ruled_from = from;
    f.machine = &ruled;
    struct plan plan = choose(&s, rules_find(r, &f, 0), &f);
    enum reason quick = policy_quick(&s, &f);
    free(r);
    ck_assert_str_eq(reason_word(plan.reason), reason_word(table[_i].reason));
    ck_assert_str_eq(plan.engine->name, table[_i].engine);
    ck_assert_msg(plan.blocks >= table[_i].least && plan.blocks <= table[_i].most, "%" PRId64 " blocks", plan.blocks);
    ck_assert(quick == REASON_NONE || quick == plan.reason);
}

static void check_row(const struct settings *s, const struct facts *f)
{
    const struct shape shape = choose_shape(f, 1);
    struct settings named = *s;
    for (int i = 1; engines[i]; i++)
        if (engine_fits(engines[i], &shape)) {
            named.engine[f->collective] = (struct engine_setting){.rows = (uint64_t)1 << i, .named = true};
            struct plan row = choose_row(s, NULL, f, i), plan = choose(&named, NULL, f);
            REQUIRE(row.engine == plan.engine && row.blocks == plan.blocks && row.reason == plan.reason,
                    "%s %s p=%d bytes=%" PRId64, engines[i]->name, collective_name(f->collective), f->ranks, f->bytes);
        }
    struct plan native = choose_row(s, NULL, f, 0);
    REQUIRE(native.engine == engines[0] && native.blocks == 0, "native");
}

/* choose_row() gives the same plan as a setting that names this engine alone. It follows a rule's size of blocks, too. */
START_TEST(a_row_as_if_named)
{
    const struct rule blocks = {.block = 64 * K, .figures = {-1, -1, -1, -1, -1}};
    struct settings s = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=0"});
    for_all(&s, check_row);
    ck_assert_int_eq(choose_row(&s, &blocks, &(struct facts){BCAST(8, 0, 10 * M)}, engine_row(engine_find("chain"))).blocks,
                     160);
}

SUITE("choose_by", 60)
