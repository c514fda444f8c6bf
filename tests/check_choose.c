/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of engine and number of blocks: (settings, facts) -> plan, by table and by properties over a grid. */
#include "grid.h"

#include <math.h>

#define MARGIN 1.1              /* native must be predicted to take so much longer */
#define ALIKE 1.05              /* predictions that are no nearer than this do not tell engines apart */
#define SMALLEST_BLOCK (8 * K)  /* and the largest, where BLOCK is auto */
#define LARGEST_BLOCK (256 * K) /* the cap where BLOCK is auto */

/* ---- The table ------------------------------------------------------------------------------------------------------ */

#define NATIVE "native", 0, 0
#define ANY "chain", 1, INT64_MAX

static const struct {
    const char *env[ENV];
    struct facts facts;
    const char *engine;
    int64_t least, most; /* blocks */
    enum reason reason;
} table[] = {
    {{"PLEACH_ENGINE=chain"}, BCAST(8, 0, 64 * K - 1), NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_ENGINE=chain"}, BCAST(8, 0, 64 * K), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, BCAST(8, 0, 64 * K + 1), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_SCAN_THRESHOLD=1K"}, SCAN(OP_EXACT, 8, 1 * K), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_SCAN_THRESHOLD=1K"}, EXSCAN(OP_EXACT, 8, 1 * K), NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=0"}, BCAST(8, 0, 1), "chain", 1, 1, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=0"}, BCAST(8, 0, 0), NATIVE, REASON_ZERO_BYTES},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=inf"}, BCAST(8, 0, HUGE_MESSAGE), NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_ENGINE=chain", "PLEACH_THRESHOLD=inf"}, BCAST(8, 0, INT64_MAX), NATIVE, REASON_BELOW_THRESHOLD},
    {{NULL}, BCAST(1, 0, M), NATIVE, REASON_ONE_RANK},
    {{NULL}, BCAST(1, 0, 0), NATIVE, REASON_ONE_RANK},
    {{NULL}, BCAST(2, 0, 0), NATIVE, REASON_ZERO_BYTES}, /* not: below the threshold */
    {{"PLEACH_ENGINE=chain"}, {COLL_SCAN, OP_EXACT, 0, 8, 0, M, 0, &spread}, NATIVE, REASON_ZERO_BYTES},
    {{"PLEACH_DISABLE=yes", "PLEACH_ENGINE=chain"}, BCAST(8, 0, M), NATIVE, REASON_DISABLED},
    {{"PLEACH_DISABLE=yes"}, {COLL_BCAST, OP_NONE, REASON_INTERCOMM, 8, 0, M, M, &spread}, NATIVE, REASON_INTERCOMM},
    {{"PLEACH_ENGINE=chain"}, {COLL_BCAST, OP_NONE, REASON_INTERCOMM, 8, 0, M, M, &spread}, NATIVE, REASON_INTERCOMM},
    {{"PLEACH_ENGINE=chain"}, {COLL_SCAN, OP_EXACT, REASON_MISMATCH, 8, 0, M, M, &full}, NATIVE, REASON_MISMATCH},
    {{"PLEACH_ENGINE=random:1"}, {COLL_SCAN, OP_EXACT, REASON_NO_CONTEXT, 1, 0, 0, 0, &full}, NATIVE, REASON_NO_CONTEXT},
    {{"PLEACH_ENGINE=native"}, BCAST(8, 0, M), NATIVE, REASON_FORCED},
    {{"PLEACH_ENGINE=native"}, BCAST(8, 0, K), NATIVE, REASON_BELOW_THRESHOLD},
    {{"PLEACH_BCAST_ENGINE=native", "PLEACH_ENGINE=chain"}, REDUCE(OP_EXACT, 8, 0, M), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=ring"}, BCAST(8, 0, M), NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=ring"}, EXSCAN(OP_ORDERED, 8, M), NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain"}, REDUCE(OP_ORDERED, 8, 3, M), NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain"}, REDUCE(OP_ORDERED, 8, 7, M), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, REDUCE(OP_ORDERED, 8, 0, M), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, REDUCE(OP_ROUNDS, 8, 3, M), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain,ring"}, REDUCE(OP_ORDERED, 8, 3, M), "ring", 1, INT64_MAX, REASON_FORCED},
    {{"PLEACH_ENGINE=chain,ring"}, REDUCE(OP_ORDERED, 8, 0, M), ANY, REASON_FORCED}, /* a round less */
    {{"PLEACH_ENGINE=ring,chain"}, BCAST(8, 0, M), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=native,ring"}, BCAST(8, 0, M), NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain,two-tree"}, BCAST(4, 1, M), ANY, REASON_FORCED},
    {{"PLEACH_ENGINE=chain,two-tree"}, BCAST(1000, 1, M), "two-tree", 2, INT64_MAX, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, BCAST(100000, 1, 64 * K), ANY, REASON_FORCED}, /* whatever the model says */
    {{"PLEACH_ENGINE=native,chain"}, BCAST(100000, 1, 64 * K), NATIVE, REASON_FORCED},
    {{"PLEACH_ENGINE=native,chain"}, SCAN(OP_ORDERED, 8, 16 * M), ANY, REASON_FORCED},
    {{NULL}, SCAN(OP_ORDERED, 8, 16 * M), ANY, REASON_MODEL},
    {{NULL}, BCAST(64, 1, 4 * M), "circulant", 2, INT64_MAX, REASON_MODEL},
    {{NULL}, BCAST(1000, 1, 64 * M), "two-tree", 2, INT64_MAX, REASON_MODEL}, /* as good, within the error of predictions */
    {{NULL}, {COLL_BCAST, OP_NONE, 0, 1000, 1, 64 * M, 64 * M, &pairs}, ANY, REASON_MODEL}, /* crosses each card once */
    {{NULL}, {COLL_BCAST, OP_NONE, 0, 1000, 1, 1 * M, 1 * M, &pairs}, "two-tree", 2, INT64_MAX, REASON_MODEL},
    {{NULL}, {COLL_REDUCE, OP_EXACT, 0, 64, 1, 4 * M, M / 2, &spread}, "circulant", 2, INT64_MAX, REASON_MODEL},
    {{NULL}, {COLL_REDUCE, OP_ROUNDS, 0, 64, 1, 4 * M, M / 2, &spread}, "two-tree", 2, INT64_MAX, REASON_MODEL},
    {{"PLEACH_ENGINE=circulant"}, {COLL_REDUCE, OP_ROUNDS, 0, 9, 1, M, M / 8, &pairs}, "circulant", 2, 99, REASON_FORCED},
    {{"PLEACH_ALPHA=1s"}, SCAN(OP_ORDERED, 1000, 64 * K), NATIVE, REASON_MODEL},
    {{NULL}, SCAN(OP_ORDERED, 24, 128 * K), ANY, REASON_MODEL},
    {{NULL}, EXSCAN(OP_ROUNDS, 24, 64 * M), ANY, REASON_MODEL},
    {{NULL}, SCAN(OP_EXACT, 64, 64 * K), "doubling", 1, 1, REASON_MODEL},
    {{NULL}, SCAN(OP_EXACT, 128, 256 * K), "two-tree", 2, INT64_MAX, REASON_MODEL},
    {{NULL}, SCAN(OP_EXACT, 128, 16 * M), ANY, REASON_MODEL}, /* with so many blocks a chain wins again */
    {{NULL}, EXSCAN(OP_ORDERED, 1000, 64 * K), "doubly-pipelined", 2, INT64_MAX, REASON_MODEL},
    {{NULL}, EXSCAN(OP_ORDERED, 1000, 4 * M), "two-tree", 2, INT64_MAX, REASON_MODEL},
    {{NULL}, {COLL_SCAN, OP_ORDERED, 0, 1000, 0, 1 * M, M / 8, &pairs}, "doubly-pipelined", 2, INT64_MAX, REASON_MODEL},
    {{NULL}, {COLL_SCAN, OP_EXACT, 0, 8, 0, 16 * M, M, &full}, NATIVE, REASON_OVERSUBSCRIBED},
    {{"PLEACH_ENGINE=^ring"}, {COLL_SCAN, OP_EXACT, 0, 8, 0, 16 * M, M, &full}, NATIVE, REASON_OVERSUBSCRIBED},
    {{"PLEACH_ENGINE=chain"}, {COLL_SCAN, OP_EXACT, 0, 8, 0, 16 * M, M, &full}, ANY, REASON_FORCED},
    {{NULL}, {COLL_SCAN, OP_EXACT, 0, 8, 0, 16 * K - 1, M, &full}, NATIVE, REASON_BELOW_THRESHOLD},
    /* the number of blocks */
    {{"PLEACH_ENGINE=chain"}, BCAST(2, 0, 256 * K), "chain", 1, 1, REASON_FORCED},     /* nothing to pipeline through */
    {{"PLEACH_ENGINE=chain"}, BCAST(2, 0, 256 * K + 1), "chain", 2, 2, REASON_FORCED}, /* but no block above 256K */
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=64K"}, BCAST(8, 0, 10 * M), "chain", 160, 160, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=64K"}, BCAST(8, 0, 10 * M + 1), "chain", 161, 161, REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_BLOCK=64K"}, BCAST(8, 0, 10 * M + 1), "two-tree", 162, 162, REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_BLOCK=inf"}, BCAST(8, 0, M), "two-tree", 2, 2, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=inf"}, BCAST(8, 0, M), "chain", 1, 1, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=inf"}, BCAST(8, 0, HUGE_MESSAGE), "chain", 1024, 1024, REASON_FORCED}, /* of 1G */
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=1"}, SCAN(OP_EXACT, 8, 80000), "chain", 10000, 10000, REASON_FORCED},
    {{"PLEACH_ENGINE=chain", "PLEACH_BLOCK=20"}, SCAN(OP_EXACT, 8, 80000), "chain", 5000, 5000, REASON_FORCED}, /* of 16 B */
    {{"PLEACH_ENGINE=chain", "PLEACH_SCAN_BLOCK=1M"}, EXSCAN(OP_EXACT, 3, 80000), "chain", 1, 9999, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, {COLL_SCAN, OP_ORDERED, 0, 8, 0, 5 * M, 5, &spread}, "chain", 5, 5, REASON_FORCED},
    {{"PLEACH_ENGINE=chain"}, {COLL_SCAN, OP_ORDERED, 0, 8, 0, M, 1, &spread}, "chain", 1, 1, REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_THRESHOLD=1"}, BCAST(8, 0, 1), "two-tree", 1, 1, REASON_FORCED},
    {{"PLEACH_ENGINE=two-tree", "PLEACH_THRESHOLD=1", "PLEACH_BLOCK=1"}, BCAST(8, 0, 3), "two-tree", 3, 3, REASON_FORCED},
    /* small blocks, where they are all but free */
    {{"PLEACH_ENGINE=circulant", "PLEACH_ALPHA=5e-6", "PLEACH_BETA=8e-8"},
     BCAST(16, 0, 4 * M),
     "circulant",
     512,
     512,
     REASON_FORCED},
    {{"PLEACH_ENGINE=circulant", "PLEACH_ALPHA=5e-5", "PLEACH_BETA=8e-8"},
     BCAST(16, 0, 4 * M),
     "circulant",
     140,
     145,
     REASON_FORCED},
    {{"PLEACH_ENGINE=fractional"}, BCAST(8, 0, 64 * K), "fractional", 2, 100, REASON_FORCED},
    {{"PLEACH_ENGINE=fractional"}, REDUCE(OP_EXACT, 8, 3, M), "fractional", 2, 100, REASON_FORCED},
    {{"PLEACH_ENGINE=fractional"}, REDUCE(OP_ORDERED, 8, 0, M), NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=fractional"}, SCAN(OP_EXACT, 8, M), NATIVE, REASON_NOT_APPLICABLE},
    {{"PLEACH_ENGINE=chain"}, BCAST(8, 0, HUGE_MESSAGE), "chain", HUGE_MESSAGE / LARGEST_BLOCK, HUGE_MESSAGE, REASON_FORCED},
};

START_TEST(plans)
{
    struct settings s = read_settings(table[_i].env);
    struct plan plan = choose(&s, NULL, &table[_i].facts);
    enum reason quick = choose_quick(&s, &table[_i].facts);
    ck_assert_str_eq(reason_word(plan.reason), reason_word(table[_i].reason));
    ck_assert_str_eq(plan.engine->name, table[_i].engine);
    ck_assert_msg(plan.blocks >= table[_i].least && plan.blocks <= table[_i].most, "%" PRId64 " blocks", plan.blocks);
    ck_assert(quick == REASON_NONE || quick == plan.reason);
}
END_TEST

/* The predicted seconds of an engine, whether it may serve or not. */
static double cost_of(const struct engine *e, const struct settings *s, const struct facts *f, int64_t *blocks)
{
    struct offer o = {.engine = e};
    choose_predict(s, NULL, f, &o);
    *blocks = o.blocks;
    return o.seconds;
}

/* ---- Properties ------------------------------------------------------------------------------------------------------ */

static void check_plan(const struct settings *s, const struct facts *f)
{
    struct plan plan = choose(s, NULL, f), again = choose(s, NULL, f);
    const struct engine_setting *may = &s->engine[f->collective];
    char what[200];
    snprintf(what, sizeof what, "%s op=%d p=%d root=%d bytes=%" PRId64 " units=%" PRId64 ": %s in %" PRId64 " blocks, %s",
             collective_name(f->collective), f->op, f->ranks, f->root, f->bytes, f->units, plan.engine->name, plan.blocks,
             reason_word(plan.reason));
    REQUIRE(plan.engine == again.engine && plan.blocks == again.blocks, "%s: not twice", what);
    REQUIRE(plan.reason != REASON_NONE && isfinite(plan.seconds) && plan.seconds >= 0, "%s: %g s", what, plan.seconds);
    bool modelled = !may->named && !may->random;
    if (plan.engine == engines[0]) {
        REQUIRE(plan.blocks == 0, "%s: native has no blocks", what);
        return;
    }
    struct shape shape = choose_shape(f, plan.blocks, plan.group);
    REQUIRE(plan.reason == (may->random ? REASON_RANDOM : may->named ? REASON_FORCED : REASON_MODEL), "%s: why?", what);
    REQUIRE(may->rows >> engine_row(plan.engine) & 1 && engine_fits(plan.engine, &shape), "%s: may not serve", what);
    REQUIRE(shape.ordered == (f->op == OP_ORDERED) && shape.ranks == f->ranks && shape.root == f->root, "%s: shape", what);
    REQUIRE(plan.blocks >= 1 && plan.blocks <= f->units, "%s: blocks without units", what);
    REQUIRE(plan.engine->trees == 1 || plan.blocks % 2 == 0 || plan.blocks == f->units, "%s: odd", what);
    struct cut cut = {f->units, plan.blocks, plan.engine->trees};
    int64_t unit = f->bytes / f->units, block = s->block[f->collective] ? s->block[f->collective] : LARGEST_BLOCK;
    REQUIRE(cut_largest(&cut) == 1 || cut_largest(&cut) <= block / unit, "%s: a block of %" PRId64 " bytes", what,
            cut_largest(&cut) * unit);
    if (plan.reason != REASON_RANDOM) /* nothing that may serve is faster */
        for (int i = 0; engines[i]; i++) {
            int64_t n;
            bool barred = modelled && (engines[i]->serves[f->collective].model.reference ||
                                       (engines[i]->order_varies && f->op == OP_ROUNDS) ||
                                       (engines[i]->made_for == MADE_FOR_ONE_A_NODE && f->machine->node_ranks > 1) ||
                                       (engines[i]->made_for == MADE_FOR_MANY_A_NODE && f->machine->node_ranks == 1));
            REQUIRE(!barred || plan.engine != engines[i], "%s: bits or cards", what);
            if (!barred && (may->rows >> i & 1) && (i == 0 || engine_fits(engines[i], &shape)))
                REQUIRE(plan.seconds * (!modelled ? 1
                                        : i == 0  ? MARGIN
                                                  : 1 / ALIKE) <=
                            cost_of(engines[i], s, f, &n),
                        "%s: not %s?", what, engines[i]->name);
        }
}

START_TEST(grid)
{
    static const char *const env[][ENV] = {
        {"PLEACH_THRESHOLD=0"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ENGINE=^native"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ENGINE=^chain"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ENGINE=random:3"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ENGINE=two-tree", "PLEACH_BLOCK=5"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ENGINE=^native", "PLEACH_BLOCK=1"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ENGINE=^native", "PLEACH_BLOCK=4093"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ENGINE=two-tree,chain,ring", "PLEACH_BLOCK=inf"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ALPHA=0", "PLEACH_BETA=0", "PLEACH_GAMMA=0"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ALPHA=1e-30", "PLEACH_BETA=1s", "PLEACH_ENGINE=^native"},
        {"PLEACH_THRESHOLD=0", "PLEACH_ALPHA=1000s", "PLEACH_BETA=0", "PLEACH_ENGINE=^native"},
    };
    for (size_t i = 0; i < sizeof env / sizeof env[0]; i++) {
        struct settings s = read_settings(env[i]);
        for_all(&s, check_plan);
    }
}
END_TEST

static void costs_more_than_half(const struct settings *s, const struct facts *f)
{
    struct shape shape = choose_shape(f, 1, 0);
    struct facts half = *f;
    half.bytes -= half.bytes / f->units * (f->units / 2);
    half.units -= f->units / 2;
    for (int i = 0; engines[i] && f->units > 1; i++)
        if (i == 0 || engine_fits(engines[i], &shape)) {
            int64_t n;
            double more = cost_of(engines[i], s, f, &n);
            double less = cost_of(engines[i], s, &half, &n);
            /* Blocks of at least 8K: where filling the pipeline is all, what counts is how nearly the size divides. */
            REQUIRE(more > 0.99 * less && less > 0, "%s %s p=%d %" PRId64 " bytes: %g s, half of it %g s", engines[i]->name,
                    collective_name(f->collective), f->ranks, f->bytes, more, less);
        }
}

START_TEST(cost_grows_with_the_message)
{
    struct settings s = read_settings((const char *[ENV]){NULL});
    for_all(&s, costs_more_than_half);
    s = read_settings((const char *[ENV]){"PLEACH_BLOCK=4093"});
    for_all(&s, costs_more_than_half);
}
END_TEST

/* The model's time for n blocks, as the formulas of ALGORITHMS have it. */
static double seconds_of(const struct engine *e, const struct facts *f, const struct figures *g, int64_t n)
{
    struct shape shape = choose_shape(f, n, 0);
    struct pace pace = e->serves[f->collective].pace(&shape);
    double byte = f->collective == COLL_BCAST ? g->beta : g->beta + g->gamma;
    return (pace.slope * (double)n + pace.latency) * (g->alpha + byte * (double)f->bytes / (double)n);
}

static void close_to_best(const struct settings *s, const struct facts *f)
{
    struct shape shape = choose_shape(f, 1, 0);
    if (f->bytes > LARGEST_BLOCK) /* the cap binds */
        return;
    for (int i = 1; engines[i]; i++) {
        const struct engine *e = engines[i];
        if (!engine_fits(e, &shape))
            continue;
        int64_t n, best = 0, limit = f->units < 5000 ? f->units : 5000,
                   most = (f->bytes + e->trees * SMALLEST_BLOCK - 1) / (e->trees * SMALLEST_BLOCK);
        limit = limit < most * e->trees ? limit : most * e->trees;
        const struct figures g = choose_figures(s, NULL, f->machine, true);
        double chosen = cost_of(e, s, f, &n), least = INFINITY;
        for (int64_t k = e->trees == 2 && f->units > 1 ? 2 : 1; k <= limit; k += e->trees)
            if (seconds_of(e, f, &g, k) < least)
                least = seconds_of(e, f, &g, best = k);
        char what[200];
        snprintf(what, sizeof what, "%s %s p=%d bytes=%lld units=%lld: %lld blocks, %g s; best %lld, %g s", e->name,
                 collective_name(f->collective), f->ranks, (long long)f->bytes, (long long)f->units, (long long)n, chosen,
                 (long long)best, least);
        REQUIRE(fabs(chosen / seconds_of(e, f, &g, n) - 1) < 1e-12, "%s: another formula", what);
        /* With two trees the number is rounded up to an even one, which costs up to 3.5 % where it is small. */
        REQUIRE(chosen <= (e->trees == 2 ? 1.035 : 1.02) * least, "%s", what);
    }
}

START_TEST(blocks_are_close_to_the_optimum)
{
    static const char *const env[][ENV] = {{NULL}, {"PLEACH_ALPHA=1us"}, {"PLEACH_ALPHA=100us"}, {"PLEACH_BETA=10ns"}};
    for (size_t i = 0; i < sizeof env / sizeof env[0]; i++) {
        struct settings s = read_settings(env[i]);
        for_all(&s, close_to_best);
    }
}
END_TEST

/* random:SEED draws every engine that fits, and native, about equally often; another seed draws otherwise. */
START_TEST(random_covers_all)
{
    struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=random:1"});
    struct settings t = read_settings((const char *[ENV]){"PLEACH_ENGINE=random:2"});
    for (int c = 0; c < COLLECTIVES; c++) {
        int drawn[64] = {0}, differ = 0, fits = 1;
        for (int i = 0; i < 4000; i++) {
            enum op_class op = c == COLL_BCAST ? OP_NONE : OP_EXACT;
            struct facts f = {(enum collective)c, op, 0, 8 + i % 3, 0, M + 8 * i, M / 8 + i, i % 2 ? &full : &spread};
            struct plan plan = choose(&s, NULL, &f);
            ck_assert_int_eq(plan.reason, REASON_RANDOM);
            drawn[engine_row(plan.engine)]++;
            differ += plan.engine != choose(&t, NULL, &f).engine;
        }
        struct shape shape = {(enum collective)c, false, 8, 0, 1, 0, 1};
        for (int i = 1; engines[i]; i++)
            fits += engine_fits(engines[i], &shape);
        for (int i = 0; engines[i]; i++) {
            bool may = i == 0 || engine_fits(engines[i], &shape);
            ck_assert_msg(may ? abs(drawn[i] - 4000 / fits) < 400 : drawn[i] == 0, "%s %s was drawn %d times of 4000",
                          engines[i]->name, collective_name((enum collective)c), drawn[i]);
        }
        ck_assert_int_gt(differ, 1000);
    }
}
END_TEST

/* Everything barred but native, which is not named: nothing may serve. */
START_TEST(all_engines_excluded)
{
    char variable[1024] = "PLEACH_ENGINE=^";
    for (int i = 1; engines[i]; i++)
        sprintf(variable + strlen(variable), "%s%s", i > 1 ? "," : "", engines[i]->name);
    struct settings s = read_settings((const char *[ENV]){variable});
    struct plan plan = choose(&s, NULL, &(struct facts)BCAST(8, 0, M));
    ck_assert(plan.engine == engines[0] && plan.blocks == 0 && plan.reason == REASON_NOT_APPLICABLE);
    strcat(variable, ",native");
    s = read_settings((const char *[ENV]){variable});
    plan = choose(&s, NULL, &(struct facts)BCAST(8, 0, M));
    ck_assert(plan.engine == engines[0] && plan.blocks == 0 && plan.reason == REASON_NOT_APPLICABLE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {grid, cost_grows_with_the_message, blocks_are_close_to_the_optimum, random_covers_all,
                                  all_engines_excluded};
    return run_suite("choose", tests, sizeof tests / sizeof tests[0], 60, plans, sizeof table / sizeof table[0]);
}
