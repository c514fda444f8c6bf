/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice by settings, by a row of the registry and by rules; and what measured figures may change. */
#include "grid.h"

#include <limits.h>

#define NATIVE "native", 0, 0
#define ANY "chain", 1, INT64_MAX
#define N(blocks) blocks, blocks
#define WHOLE ((int64_t)8 * INT_MAX) /* bytes of INT_MAX elements of 8 bytes */

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
    {{"PLEACH_ENGINE=chain"}, {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, M, 0, &spread)}, NATIVE, REASON_ZERO_BYTES},
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
    {{"PLEACH_ENGINE=native:binomial"},
     {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, M, M, &switching)},
     "native:binomial",
     N(0),
     REASON_FORCED},
    {{"PLEACH_ENGINE=native:binomial"},
     {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 1, 1, &switching)},
     "native:binomial",
     N(0),
     REASON_FORCED},
    {{"PLEACH_ENGINE=native:binomial", "PLEACH_THRESHOLD=64K"},
     {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, K, K, &switching)},
     NATIVE,
     REASON_BELOW_THRESHOLD},
    {{NULL}, {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, K, K, &switching)}, NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_LEARN=file"},
     {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, K, K, &switching)},
     NATIVE,
     REASON_BELOW_THRESHOLD},
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
    {{"PLEACH_ENGINE=circulant"},
     {FACTS(COLL_REDUCE, OP_ROUNDS, REASON_NONE, 9, 1, M, M / 8, &pairs)},
     "circulant",
     2,
     99,
     REASON_FORCED},
    {{"PLEACH_ALPHA=1s"}, {SCAN(OP_ORDERED, 1000, 64 * K)}, NATIVE, REASON_NATIVE_FASTER},
    {{NULL}, {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 16 * M, M, &full)}, NATIVE, REASON_OVERSUBSCRIBED},
    {{"PLEACH_ENGINE=^ring"},
     {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 16 * M, M, &full)},
     NATIVE,
     REASON_OVERSUBSCRIBED},
    {{"PLEACH_ENGINE=chain"}, {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 16 * M, M, &full)}, ANY, REASON_FORCED},
    {{NULL}, {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 1 * K - 1, M, &full)}, NATIVE, REASON_BELOW_THRESHOLD},
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
    {{"PLEACH_ENGINE=chain"},
     {FACTS(COLL_SCAN, OP_ORDERED, REASON_NONE, 8, 0, 5 * M, 5, &spread)},
     "chain",
     N(5),
     REASON_FORCED},
    {{"PLEACH_ENGINE=chain"},
     {FACTS(COLL_SCAN, OP_ORDERED, REASON_NONE, 8, 0, M, 1, &spread)},
     "chain",
     N(1),
     REASON_FORCED},
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
    {{"-> engine=chain"}, {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 16 * M, M, &full)}, ANY, REASON_RULE},
    {{"-> engine=^chain"}, {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 16 * M, M, &full)}, NATIVE, REASON_OVERSUBSCRIBED},
    {{"-> engine=chain"}, {BCAST(8, 0, 16 * K - 1)}, NATIVE, REASON_BELOW_THRESHOLD},
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
    rules_from(r, f.ranks, ruled.algorithms, from);
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
    const struct shape shape = choose_shape(f, 1, 0);
    struct settings named = *s;
    for (int i = 1; engines[i]; i++)
        if (engine_fits(engines[i], &shape)) {
            named.engine[f->collective] = (struct engine_setting){.rows = (uint64_t)1 << i, .named = true};
            struct plan row = choose_row(s, NULL, f, i), plan = choose(&named, NULL, f);
            REQUIRE(row.engine == plan.engine && row.blocks == plan.blocks && row.group == plan.group &&
                        row.seconds == plan.seconds && row.reason == plan.reason,
                    "%s %s p=%d bytes=%" PRId64, engines[i]->name, collective_name(f->collective), f->ranks, f->bytes);
        }
    struct plan native = choose_row(s, NULL, f, 0);
    REQUIRE(native.engine == engines[0] && native.blocks == 0, "native");
}

/* choose_row() gives the same plan as a setting that names this engine alone. It follows a rule's size of blocks, too. */
START_TEST(a_row_as_if_named)
{
    const struct rule blocks = {.block = 64 * K, .figures = {-1, -1, -1, -1, -1}};
    struct settings s = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=0", "PLEACH_FRACTIONAL_R=3"});
    for_all(&s, check_row);
    ck_assert_int_eq(choose_row(&s, &blocks, &(struct facts){BCAST(8, 0, 10 * M)}, engine_row(engine_find("chain"))).blocks,
                     160);
}

/* ---- What is learned ------------------------------------------------------------------------------------------------- */

/* The names of the engines that are worth a trial. */
static const char *candidates(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    static char text[200];
    int row[CANDIDATES], count;
    double seconds[CANDIDATES];
    count = choose_candidates(s, rule, f, row, seconds);
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%s", i ? " " : "", engines[row[i]]->name);
    return text;
}

START_TEST(what_is_worth_a_trial)
{
    static const struct machine no_hops = {.nodes = 16,
                                           .node_ranks = 1,
                                           .gathered = true,
                                           .consecutive = true,
                                           .measured = true,
                                           .figures = {[LINK_NETWORK] = {500e-6, 110e-9, 0.05e-9, 0.5e-6, 0.1e-6, 0}}};
    static const struct machine memory = {
        .nodes = 1, .node_ranks = 8, .gathered = true, .consecutive = true, .near = true, .cell = 8 * K};
    static const struct {
        const char *env[ENV];
        struct facts facts;
        const char *rows;
    } worth[] = {
        {{NULL}, {BCAST(8, 0, M)}, "native circulant chain"},
        {{NULL}, {BCAST(1000, 0, M)}, "native circulant two-tree"}, /* native is much slower, but stays */
        {{NULL}, {SCAN(OP_EXACT, 8, 16 * M)}, "native chain two-tree"},
        {{NULL}, {SCAN(OP_ORDERED, 1000, M)}, "native two-tree"}, /* shadow trials try one engine only */
        {{"PLEACH_ENGINE=^native"}, {BCAST(8, 0, M)}, "circulant chain"},
        {{NULL},
         {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, M, M, &switching)},
         "native circulant chain native:binomial native:scatter-recursive-doubling-allgather "
         "native:scatter-ring-allgather"},
        {{"PLEACH_ENGINE=^native:binomial,native:scatter-ring-allgather"},
         {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, M, M, &switching)},
         "native circulant chain native:scatter-recursive-doubling-allgather"},
        {{NULL}, {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, K, K, &switching)}, ""},
        {{"PLEACH_LEARN=file"},
         {FACTS(COLL_REDUCE, OP_EXACT, REASON_NONE, 8, 0, K, K, &switching)},
         "native circulant chain mesh fractional native:binomial native:reduce-scatter-gather"}, /* below the threshold */
        {{"PLEACH_LEARN=file"}, {SCAN(OP_ORDERED, 1000, 32 * K)}, "native doubling doubly-pipelined bintree binomial"},
        {{"PLEACH_LEARN=file"}, {SCAN(OP_ORDERED, 1000, M)}, "native two-tree"},
        {{"PLEACH_LEARN=file"}, /* circulant's order of operands follows from the blocks, but a lesson gives their size */
         {FACTS(COLL_REDUCE, OP_ROUNDS, REASON_NONE, 13, 0, 32 * K, 32 * K, &switching)},
         "native circulant chain fractional two-tree native:binomial native:reduce-scatter-gather"},
        {{"PLEACH_LEARN=file", "PLEACH_REPRODUCIBLE=no"}, /* no shadow trials */
         {FACTS(COLL_REDUCE, OP_ROUNDS, REASON_NONE, 13, 0, M, M, &switching)},
         "native two-tree chain native:binomial native:reduce-scatter-gather"},
        {{"PLEACH_LEARN=off"}, {BCAST(8, 0, 2 * K)}, ""},
        {{"PLEACH_LEARN=file"}, {BCAST(8, 0, 2 * K)}, "native circulant chain mesh fractional"}, /* mesh is a reference */
        {{"PLEACH_LEARN=file"}, {BCAST(8, 0, 64 * K - 1)}, "native circulant chain two-tree binomial"},
        {{"PLEACH_LEARN=file"}, {BCAST(8, 0, 64 * K)}, "native circulant chain"},
        {{"PLEACH_LEARN=file"}, /* engines are not alike if their predictions differ by 4 per cent */
         {FACTS(COLL_REDUCE, OP_ROUNDS, REASON_NONE, 16, 0, 16 * K, 16 * K, &no_hops)},
         "native fractional chain circulant bintree"},
        {{"PLEACH_LEARN=file"}, /* of engines with a segment, one alone has trials */
         {FACTS(COLL_ALLREDUCE, OP_EXACT, REASON_NONE, 8, 0, 16 * K, 2 * K, &memory)},
         "native node-ring"},
        {{"PLEACH_ENGINE=^circulant"}, {BCAST(8, 0, M)}, "native chain two-tree"},
        {{"PLEACH_ENGINE=^two-tree,bintree,fractional,circulant"}, {BCAST(1000, 0, 64 * K)}, "native"}, /* chains are slow */
        {{NULL}, {BCAST(8, 0, K)}, ""},
        {{"PLEACH_ENGINE=chain"}, {BCAST(8, 0, M)}, ""},
        {{"PLEACH_ENGINE=random:1"}, {BCAST(8, 0, M)}, ""},
        {{"PLEACH_ENGINE=native"}, {BCAST(8, 0, M)}, ""},
        {{NULL}, {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 16 * M, M, &full)}, ""},
        {{"PLEACH_DISABLE=yes"}, {BCAST(8, 0, M)}, ""},
    };
    for (size_t i = 0; i < COUNT(worth); i++) {
        const struct settings s = read_settings(worth[i].env);
        const char *found = candidates(&s, NULL, &worth[i].facts);
        ck_assert_msg(strcmp(found, worth[i].rows) == 0, "row %zu: %s", i, found);
    }
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct rules *r = rules_parse("pleach-rules 1\n-> engine=chain\n", NULL, NULL);
    const struct facts f = {BCAST(8, 0, M)};
    ck_assert_str_eq(candidates(&s, rules_find(r, &f, 0), &f), "");
    free(r);
}

static void check_candidates(const struct settings *s, const struct facts *f)
{
    int row[CANDIDATES];
    double seconds[CANDIDATES];
    struct offer list[OFFERS_MOST];
    int count = choose_candidates(s, NULL, f, row, seconds);
    const struct plan plan = choose(s, NULL, f);
    bool among = false;
    choose_list(s, NULL, f, list);
    REQUIRE((count > 0) == (policy_quick(s, f) == REASON_NONE), "p=%d bytes=%" PRId64, f->ranks, f->bytes);
    for (int i = 0; i < count; i++) {
        among |= engines[row[i]] == plan.engine;
        REQUIRE(!list[row[i]].barred && seconds[i] == list[row[i]].seconds && (i == 0) == (row[i] == 0), "row %d", row[i]);
    }
    REQUIRE(among || count == 0, "%s p=%d bytes=%" PRId64 ": not %s", collective_name(f->collective), f->ranks, f->bytes,
            plan.engine->name);
}

/* The model's choice is always worth a trial. */
START_TEST(the_models_own_choice_is_tried)
{
    struct settings s = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=0", "PLEACH_REPRODUCIBLE=no"});
    for_all(&s, check_candidates);
    s = read_settings((const char *[ENV]){NULL});
    for_all(&s, check_candidates);
}

/* A lesson counts only if the model would decide the call, the learned engine may serve, and the bits stay the same. */
START_TEST(what_was_learned)
{
    static const struct {
        const char *env[ENV];
        struct facts facts;
        const char *learned, *engine;
        bool trial;
        enum reason reason;
    } learned[] = {
        {{NULL}, {BCAST(8, 0, M)}, "two-tree", "two-tree", false, REASON_LEARNED},
        {{NULL}, {BCAST(8, 0, M)}, "two-tree", "two-tree", true, REASON_TRIAL},
        {{NULL}, {BCAST(8, 0, M)}, "native", "native", false, REASON_LEARNED},
        {{NULL}, {BCAST(8, 0, M)}, "ring", "circulant", false, REASON_MODEL}, /* ring has no broadcast */
        {{"PLEACH_ENGINE=^two-tree"}, {BCAST(8, 0, M)}, "two-tree", "circulant", false, REASON_MODEL},
        {{"PLEACH_ENGINE=chain"}, {BCAST(8, 0, M)}, "two-tree", "chain", false, REASON_FORCED},
        {{NULL}, {BCAST(8, 0, K)}, "two-tree", "native", false, REASON_BELOW_THRESHOLD},
        {{NULL}, {REDUCE(OP_EXACT, 8, 0, M)}, "two-tree", "two-tree", false, REASON_LEARNED},
        {{NULL}, {REDUCE(OP_EXACT, 8, 0, M)}, "binomial", "circulant", false, REASON_MODEL}, /* binomial is a reference */
        {{NULL}, {REDUCE(OP_ORDERED, 8, 0, M)}, "two-tree", "chain", false, REASON_MODEL},
        {{NULL}, {REDUCE(OP_ROUNDS, 2, 0, M)}, "two-tree", "chain", false, REASON_MODEL},
        {{NULL}, {REDUCE(OP_ROUNDS, 2, 0, M), .symmetric = true}, "two-tree", "two-tree", false, REASON_LEARNED},
        /* Sums of 2^k ranks, one on each node: butterfly's bits are those of the native call. */
        {{NULL}, {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true}, "native", "native", false, REASON_LEARNED},
        {{NULL}, {ALLREDUCE(OP_ROUNDS, 8, 64 * K), .symmetric = true}, "butterfly", "butterfly", false, REASON_LEARNED},
        {{NULL}, {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true}, "two-tree", "butterfly", false, REASON_MODEL},
        {{NULL}, {ALLREDUCE(OP_ROUNDS, 8, M)}, "native", "butterfly", false, REASON_MODEL},
        {{NULL}, {ALLREDUCE(OP_ROUNDS, 12, M), .symmetric = true}, "native", "butterfly", false, REASON_MODEL},
        {{NULL}, {ALLREDUCE(OP_ORDERED, 8, M)}, "native", "butterfly", false, REASON_MODEL},
        {{NULL}, {REDUCE(OP_ROUNDS, 8, 0, M), .symmetric = true}, "native", "chain", false, REASON_MODEL},
        {{NULL},
         {FACTS(COLL_ALLREDUCE, OP_ROUNDS, REASON_NONE, 8, 0, M, M / 8, &pairs), .symmetric = true},
         "native",
         "butterfly",
         false,
         REASON_MODEL},
        {{"PLEACH_REPRODUCIBLE=no"}, {REDUCE(OP_ORDERED, 8, 0, M)}, "two-tree", "two-tree", false, REASON_LEARNED},
        /* A file of lessons may name a reference for a short call. */
        {{"PLEACH_LEARN=file"}, {REDUCE(OP_EXACT, 8, 0, 32 * K)}, "binomial", "binomial", false, REASON_LEARNED},
        {{"PLEACH_LEARN=file"}, {REDUCE(OP_EXACT, 8, 0, 64 * K)}, "binomial", "circulant", false, REASON_MODEL},
    };
    for (size_t i = 0; i < COUNT(learned); i++) {
        const struct settings s = read_settings(learned[i].env);
        const struct policy policy = policy_of(&s, NULL, &learned[i].facts);
        const struct question q = {
            .facts = learned[i].facts, .learned = engine_row(engine_find(learned[i].learned)), .trial = learned[i].trial};
        const struct plan plan = choose_answer(&s, &policy, &q);
        ck_assert_msg(strcmp(plan.engine->name, learned[i].engine) == 0, "row %zu: %s", i, plan.engine->name);
        ck_assert_msg(plan.reason == learned[i].reason, "row %zu: %s", i, reason_word(plan.reason));
    }
}

/* ---- Figures --------------------------------------------------------------------------------------------------------- */

static const struct rule beta_rule = {.figures = {-1, 7, -1, -1, -1}}, alpha_rule = {.figures = {6, -1, -1, -1, -1}},
                         all_rule = {.figures = {6, 7, 0, -1, -1}}, stream_rule = {.figures = {6, -1, -1, 7, 8}},
                         block_rule = {.block = K, .figures = {-1, -1, -1, -1, -1}};

/*
 * Figures come from settings first, then from the rule, then from the measurement between nodes or on the only node. If
 * alpha is given, jump is 0, and hop and gap are the same as alpha unless they are given, too.
 */
START_TEST(figures)
{
    static const struct {
        const char *env;
        const struct rule *rule;
        int nodes;
        struct figures want;
    } want[] = {
        {NULL, NULL, 1, {1, 2, 3, 4, 5, 6}},
        {NULL, NULL, 2, {11, 12, 13, 14, 15, 16}},
        {"PLEACH_ALPHA=0", NULL, 1, {0, 2, 3, 0, 0, 0}},
        {"PLEACH_GAMMA=0", &beta_rule, 2, {11, 7, 0, 14, 15, 16}},
        {"PLEACH_HOP=0", NULL, 2, {11, 12, 13, 0, 15, 16}},
        {"PLEACH_GAP=0", &alpha_rule, 1, {6, 2, 3, 6, 0, 0}},
        {"PLEACH_HOP=0", &stream_rule, 1, {6, 2, 3, 0, 8, 0}},
        {NULL, &alpha_rule, 1, {6, 2, 3, 6, 6, 0}},
        {"PLEACH_BETA=0", &all_rule, 2, {6, 0, 0, 6, 6, 0}},
    };
    for (size_t i = 0; i < COUNT(want); i++) {
        const struct settings s = read_settings((const char *[ENV]){want[i].env});
        const struct machine m = {
            .nodes = want[i].nodes, .measured = true, .figures = {{1, 2, 3, 4, 5, 6}, {11, 12, 13, 14, 15, 16}}};
        const struct figures g = choose_figures(&s, want[i].rule, &m, false), *w = &want[i].want;
        ck_assert_msg(g.alpha == w->alpha && g.beta == w->beta && g.gamma == w->gamma && g.hop == w->hop &&
                          g.gap == w->gap && g.jump == w->jump,
                      "row %zu", i);
    }
}

/*
 * The machine is measured if some figure is not given and a measurement may decide about the engine or the size of blocks.
 * It is never measured with more ranks than cores.
 */
START_TEST(what_needs_measuring)
{
    static const struct {
        const char *env[ENV];
        const struct rule *rule;
        enum op_class op;
        bool full, measures;
    } calls[] = {
        {{NULL}, NULL, OP_EXACT, false, true},
        {{NULL}, NULL, OP_EXACT, true, false},
        {{NULL}, NULL, OP_ROUNDS, false, true},
        {{NULL}, &all_rule, OP_EXACT, false, false},
        {{NULL}, &beta_rule, OP_EXACT, false, true},
        {{"PLEACH_ALPHA=0", "PLEACH_BETA=0", "PLEACH_GAMMA=0"}, NULL, OP_EXACT, false, false},
        {{"PLEACH_ALPHA=0", "PLEACH_BETA=0"}, NULL, OP_EXACT, false, true},
        {{"PLEACH_BETA=0", "PLEACH_GAMMA=0"}, NULL, OP_EXACT, false, true},
        {{"PLEACH_ALPHA=0", "PLEACH_GAMMA=0"}, NULL, OP_EXACT, false, true},
        {{"PLEACH_BLOCK=1K"}, NULL, OP_EXACT, false, true},
        {{"PLEACH_BLOCK=1K"}, NULL, OP_ROUNDS, false, false},
        {{NULL}, &block_rule, OP_ORDERED, false, false},
        {{"PLEACH_BLOCK=1K", "PLEACH_ENGINE=chain"}, NULL, OP_EXACT, false, false},
        {{"PLEACH_BLOCK=1K", "PLEACH_ENGINE=random:1"}, NULL, OP_EXACT, false, false},
        {{"PLEACH_ENGINE=chain"}, NULL, OP_EXACT, false, true},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        const struct settings s = read_settings(calls[i].env);
        const struct facts f = {FACTS(COLL_SCAN, calls[i].op, REASON_NONE, 8, 0, M, M / 8, calls[i].full ? &full : &spread)};
        ck_assert_msg(policy_of(&s, calls[i].rule, &f).wants_figures == calls[i].measures, "row %zu", i);
    }
}

/* ---- Reproducibility ------------------------------------------------------------------------------------------------- */

static int choices, cuts; /* calls whose engine, or number of blocks, depends on a measurement */

/*
 * Chooses with many measured figures. If `bits` is true, the engine must stay the same, and so must the number of blocks if
 * the bits depend on that.
 */
static void what_was_measured(const struct settings *s, const struct facts *f, bool bits)
{
    static const double figures[] = {1e-9, 1e-7, 1e-5, 1e-3}, natives[] = {0.01, 1, 100};
    enum { FIGURES = COUNT(figures), NATIVES = COUNT(natives) };
    struct plan first = choose(s, NULL, f);
    bool changes = false, recut = false;
    for (int i = 0; i < FIGURES * FIGURES * FIGURES * NATIVES; i++) {
        struct machine measured = *f->machine;
        struct facts now = *f;
        measured.measured = true;
        for (int link = 0; link < LINKS; link++)
            measured.figures[link] = (struct figures){figures[i % FIGURES],
                                                      figures[i / FIGURES % FIGURES] * 1e-3,
                                                      figures[i / FIGURES / FIGURES % FIGURES] * 1e-3,
                                                      figures[i % FIGURES] / 5,
                                                      figures[i % FIGURES] / 10,
                                                      figures[i / FIGURES % FIGURES]};
        for (int c = 0; c < COLLECTIVES; c++)
            for (int k = 0; k < NATIVE_SIZES; k++)
                measured.native[c][k] = natives[i / FIGURES / FIGURES / FIGURES];
        now.machine = &measured;
        struct plan plan = choose(s, NULL, &now);
        REQUIRE(!bits || plan.engine == first.engine, "%s op=%d p=%d bytes=%" PRId64 ": %s, else %s",
                collective_name(f->collective), f->op, f->ranks, f->bytes, plan.engine->name, first.engine->name);
        REQUIRE(!bits || !plan.engine->serves[f->collective].model.order_varies || f->op != OP_ROUNDS ||
                    plan.blocks == first.blocks,
                "%s: the number of blocks depends on a measurement", plan.engine->name);
        changes |= plan.engine != first.engine;
        recut |= plan.engine == first.engine && plan.blocks != first.blocks;
    }
    choices += changes;
    cuts += recut;
}

static int measurements_that_matter(const struct settings *s, enum op_class op, bool symmetric, bool bits)
{
    static const int64_t few_sizes[] = {64 * K, 1000003, 100 * M};
    static const struct machine node = {.nodes = 1, .node_ranks = 64, .gathered = true, .consecutive = true};
    choices = cuts = 0;
    for (int c = 0; c < COLLECTIVES; c++)
        for (int m = 0; m < 3 && (c == COLL_BCAST) == (op == OP_NONE); m++)
            for (size_t r = 0; r < COUNT(ranks_of); r++)
                for (int k = 0; k < 3; k++) {
                    int64_t size = op == OP_NONE ? 1 : 8, units = few_sizes[m] / size + 8;
                    const struct machine *machine = k == 0 ? &spread : k == 1 ? &pairs : &node;
                    struct facts f = {
                        FACTS((enum collective)c, op, REASON_NONE, ranks_of[r], 0, units * size, units, machine)};
                    f.symmetric = symmetric;
                    if (!symmetric || f.ranks == 2)
                        what_was_measured(s, &f, bits);
                }
    return choices;
}

START_TEST(measurements_choose_no_bits)
{
    struct settings keep = read_settings((const char *[ENV]){NULL});
    struct settings may = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no"});
    struct settings named = read_settings((const char *[ENV]){"PLEACH_ENGINE=circulant,fractional"});
    ck_assert_int_eq(measurements_that_matter(&keep, OP_ROUNDS, false, true), 0);
    ck_assert_int_eq(measurements_that_matter(&keep, OP_ORDERED, false, true), 0);
    ck_assert_int_gt(cuts, 0);
    ck_assert_int_eq(measurements_that_matter(&named, OP_ROUNDS, false, true), 0);
    ck_assert_int_gt(measurements_that_matter(&keep, OP_EXACT, false, false), 0);
    ck_assert_int_gt(measurements_that_matter(&keep, OP_NONE, false, false), 0);
    ck_assert_int_gt(measurements_that_matter(&keep, OP_ROUNDS, true, false), 0);
    ck_assert_int_gt(measurements_that_matter(&may, OP_ROUNDS, false, false), 0);
    ck_assert_int_gt(measurements_that_matter(&may, OP_ORDERED, false, false), 0);
}

/*
 * A rule may give the figures of an earlier run. The choice is then that of a run with PLEACH_REPRODUCIBLE=no and these
 * figures.
 */
START_TEST(figures_from_a_rule)
{
    static const struct figures networks[] = {{60e-6, 80e-9, 0.2e-9, 20e-6, 6e-6, 0},
                                              {15e-6, 0.02e-9, 0.1e-9, 10e-6, 2e-6, 0}};
    const struct settings keep = read_settings((const char *[ENV]){NULL});
    const struct settings may = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no"});
    int differ = 0;
    for (size_t n = 0; n < COUNT(networks); n++)
        for (int c = COLL_REDUCE; c < COLLECTIVES; c++)
            for (int64_t m = K; m <= M; m *= 2)
                for (size_t r = 0; r < COUNT(ranks_of); r++) {
                    struct machine measured = spread;
                    struct facts f = {FACTS((enum collective)c, OP_ORDERED, REASON_NONE, ranks_of[r], 0, m, m / 8, &spread)};
                    const struct rule told = {.figures = networks[n]};
                    const struct plan as_told = choose(&keep, &told, &f), untold = choose(&keep, NULL, &f);
                    measured.measured = true;
                    measured.figures[LINK_NETWORK] = networks[n];
                    f.machine = &measured;
                    const struct plan wanted = choose(&may, NULL, &f);
                    REQUIRE(as_told.engine == wanted.engine && as_told.blocks == wanted.blocks, "%s p=%d bytes=%" PRId64,
                            collective_name((enum collective)c), f.ranks, m);
                    differ += as_told.engine != untold.engine;
                }
    ck_assert_int_gt(differ, 20);
}

SUITE("choose_by", 60)
