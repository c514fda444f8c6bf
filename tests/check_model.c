/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model: seconds by hand, and properties of choice and blocks over a grid. */
#include "grid.h"
#include "model.h"

#include <math.h>

#define NATIVE_MARGIN 1.1      /* native must be predicted to take so much longer */
#define LATER_MARGIN 1.05      /* and what comes earlier in the registry, so much */
#define SMALLEST_BLOCK (8 * K) /* and the largest, where BLOCK is auto */
#define LARGEST_BLOCK (256 * K)

/* ---- By hand --------------------------------------------------------------------------------------------------------- */

/* Figures that a reader tells apart in a sum. */
static const struct figures plain = {.alpha = 1000, .beta = 1, .gamma = 10, .hop = 100, .gap = 50};

/* Eight ranks each: a rank a node; in pairs; in fours; on one node. */
static const struct machine eight = {.nodes = 8, .node_ranks = 1, .gathered = true, .consecutive = true};
static const struct machine four_pairs = {.nodes = 4, .node_ranks = 2, .gathered = true, .consecutive = true};
static const struct machine dealt = {.nodes = 4, .node_ranks = 2};
static const struct machine two_fours = {.nodes = 2, .node_ranks = 4, .gathered = true, .consecutive = true};
static const struct machine one_node = {.nodes = 1, .node_ranks = 8, .gathered = true, .consecutive = true};

START_TEST(seconds_by_hand)
{
    static const struct {
        const char *engine;
        struct facts facts; /* engines: 40 bytes or 5 elements of 8, in blocks of 10 bytes or of an element */
        double seconds;
    } by_hand[] = {
        /* A stream: hops until the pipeline is full, and one more; gaps for the other rounds; bytes in all rounds. */
        {"chain", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 5, 0, 40, 40, &eight)}, 4 * 100 + 3 * 50 + 7 * 10},
        {"chain", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 2, 0, 40, 40, &eight)}, 1 * 100 + 3 * 50 + 4 * 10},
        {"chain", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 5, 0, 40, 5, &eight)}, 4 * 100 + 4 * 50 + 8 * (8 + 80)},
        {"two-tree", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 40, 40, &eight)}, 6 * 100 + 3 * 50 + 9 * 10},
        /* No stream: each round costs alpha. */
        {"circulant", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 40, 40, &eight)}, 6 * 1000 + 6 * 10},
        {"doubling", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 40, 5, &eight)}, 15 * 1000 + 15 * (8 + 80)},
        /* Several ranks on several nodes: the message leaves a node once more than a rank sends it. */
        {"two-tree", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 40, 40, &four_pairs)}, 6 * 100 + 3 * 50 + 9 * 10 + 40},
        {"two-tree", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 40, 40, &two_fours)}, 6 * 100 + 3 * 50 + 9 * 10 + 40},
        {"two-tree", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 40, 40, &one_node)}, 6 * 100 + 3 * 50 + 9 * 10},
        {"chain", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 40, 40, &four_pairs)}, 4 * 100 + 3 * 50 + 7 * 10},
        /* A chain goes by node: half of its hops are within nodes, where they take no time. A scan has to go by rank. */
        {"chain", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 40, 40, &dealt)}, 4 * 100 + 3 * 50 + 7 * 10},
        {"chain", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 40, 5, &dealt)}, 7 * 100 + 4 * 50 + 11 * (8 + 80) + 40},
        /* The native call, by its formula. */
        {"native", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 8, 8, &eight)}, 3 * (1000 + 8)}, /* binomial */
        {"native",
         {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 8, 0, 80000, 80000, &eight)},
         10 * 1000 + 2 * 70000}, /* scatter, allgather */
        {"native", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 9, 0, 8, 8, &eight)}, 4 * (1000 + 8)},
        {"native", {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 2, 0, 8, 8, &eight)}, 100 + 8}, /* no alpha, but a hop */
        {"native", {FACTS(COLL_REDUCE, OP_EXACT, REASON_NONE, 8, 0, 8, 1, &eight)}, 3 * (1000 + 8 + 80) + 80},
        {"native", {FACTS(COLL_REDUCE, OP_EXACT, REASON_NONE, 2, 1, 8, 1, &eight)}, 100 + 8 + 80 + 80},
        /* reduce-scatter, gather */
        {"native",
         {FACTS(COLL_REDUCE, OP_ROUNDS, REASON_NONE, 8, 1, 80000, 10000, &eight)},
         6 * 1000 + 2 * 70000 + 700000 + 800000},
        {"native",
         {FACTS(COLL_REDUCE, OP_ORDERED, REASON_NONE, 8, 0, 80000, 10000, &eight)},
         3 * (1000 + 80000 + 800000) + 800000},
        {"native",
         {FACTS(COLL_REDUCE, OP_ORDERED, REASON_NONE, 8, 1, 80000, 10000, &eight)},
         3 * (1000 + 80000 + 800000) + 1000 + 80000 + 800000},
        {"native", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, 80000, 10000, &eight)}, 3 * (1000 + 80000 + 2 * 800000)},
        {"native", {FACTS(COLL_EXSCAN, OP_ORDERED, REASON_NONE, 2, 0, 8, 1, &eight)}, 1000 + 8 + 2 * 80},
    };
    for (size_t i = 0; i < COUNT(by_hand); i++) {
        const struct facts *f = &by_hand[i].facts;
        const struct terms terms = {.figures = plain, .native = 1, .block = 10};
        struct cutting cut;
        double seconds = model_seconds(engine_find(by_hand[i].engine), &terms, f, &cut);
        ck_assert_msg(seconds == by_hand[i].seconds, "%s, row %zu: %g s, not %g", by_hand[i].engine, i, seconds,
                      by_hand[i].seconds);
        ck_assert_int_eq(cut.blocks, strcmp(by_hand[i].engine, "native") == 0 ? 0 : f->units == 40 ? 4 : 5);
    }
    const struct facts f = {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 5, 0, 40, 40, &eight)};
    struct cutting cut; /* rounds that are free take a nanosecond: here, the three behind the filling */
    double seconds = model_seconds(engine_find("chain"), &(struct terms){.block = 10}, &f, &cut);
    ck_assert_msg(fabs(seconds - 3e-9) < 1e-15, "%g s", seconds);
}

/* The native call as its formula says or, on one node, as measured, be it faster or slower. */
START_TEST(native_factor)
{
    static const struct {
        double measured[NATIVE_SIZES]; /* at 16K, 128K, 1M; 0: not known */
        bool known;                    /* was anything measured? */
        int nodes;
        enum collective collective;
        enum op_class op;
        int64_t bytes;
        double counts;
    } factors[] = {
        {{2, 2, 2}, false, 1, COLL_BCAST, OP_NONE, M, 1},
        {{2, 2, 2}, false, 1, COLL_REDUCE, OP_ORDERED, M, 1},
        {{2, 2, 2}, true, 2, COLL_SCAN, OP_EXACT, M, 1},
        {{2, 2, 2}, true, 1, COLL_BCAST, OP_NONE, M, 2},
        {{0.25, 0.25, 0.25}, true, 1, COLL_BCAST, OP_NONE, M, 0.25},
        {{5, 5, 5}, true, 1, COLL_REDUCE, OP_EXACT, M, 5},
        {{5, 5, 5}, true, 1, COLL_REDUCE, OP_ORDERED, M, 1}, /* nobody calls the user's operation to measure */
        {{5, 5, 5}, true, 1, COLL_SCAN, OP_ORDERED, M, 5},
        {{1, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, K, 1},
        {{1, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, 16 * K, 1},
        {{1, 8, 9}, true, 1, COLL_SCAN, OP_EXACT, 32 * K, 2},
        {{1, 8, 9}, true, 1, COLL_SCAN, OP_EXACT, 64 * K, 4},
        {{1, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, 128 * K, 4},
        {{1, 27, 1}, true, 1, COLL_SCAN, OP_EXACT, 512 * K, 3},
        {{1, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, M, 9},
        {{1, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, 64 * M, 9},
        {{0, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, 16 * K, 4},
        {{1, 0, 64}, true, 1, COLL_SCAN, OP_EXACT, 128 * K, 8},
        {{1, 4, 0}, true, 1, COLL_SCAN, OP_EXACT, M, 4},
        {{0, 0, 0}, true, 1, COLL_SCAN, OP_EXACT, M, 1},
    };
    const struct settings s = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no"});
    for (size_t i = 0; i < COUNT(factors); i++) {
        struct machine m = {.nodes = factors[i].nodes, .node_ranks = 8 / factors[i].nodes, .gathered = true};
        const int64_t bytes = factors[i].bytes;
        struct facts f = {FACTS(factors[i].collective, factors[i].op, REASON_NONE, 8, 0, bytes, bytes / 8, &m)};
        const struct shape shape = choose_shape(&f, 1, 0);
        m.measured = factors[i].known;
        m.figures[LINK_NODE] = m.figures[LINK_NETWORK] = plain;
        memcpy(m.native[f.collective], factors[i].measured, sizeof factors[i].measured);
        struct offer native = {.engine = engines[0]};
        const struct figures figures = choose_figures(&s, NULL, &m, false);
        choose_predict(&s, NULL, &f, &native);
        double factor = native.seconds / native_seconds(&shape, (double)f.bytes, &figures);
        ck_assert_msg(fabs(factor - factors[i].counts) < 1e-12, "row %zu: %g", i, factor);
    }
}

/*
 * Where bits may change, that offer is taken which is at worst the least times as slow as the best, on plausible machines:
 * not what is best on one of them. Native is 1.9 times the engine on slow networks, the engine hardly slower on fast ones.
 */
START_TEST(least_regret)
{
    static const struct facts sum = {REDUCE(OP_ROUNDS, 16, 0, 512 * K)}, exact = {REDUCE(OP_EXACT, 16, 0, 512 * K)};
    struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=^circulant"});
    struct offer list[OFFERS_MOST];
    const int chain = engine_row(engine_find("chain")), tree = engine_row(engine_find("two-tree"));
    choose_list(&s, NULL, &sum, list);
    ck_assert_msg(list[0].cost > 1.3 && list[0].cost < 2.5, "native: %g", list[0].cost);
    ck_assert_msg(list[tree].cost >= 1 && list[tree].cost < 1.1, "two-tree: %g", list[tree].cost);
    ck_assert(list[chain].cost > list[tree].cost && list[chain].seconds > list[tree].seconds);
    ck_assert_ptr_eq(choose(&s, NULL, &sum).engine, engines[tree]);
    choose_list(&s, NULL, &exact, list);
    ck_assert(list[chain].cost == list[chain].seconds);

    /* One machine is left where all figures are given: then the least regret is the least time. */
    s = read_settings((const char *[ENV]){"PLEACH_ALPHA=1ms", "PLEACH_BETA=0.8ns", "PLEACH_GAMMA=0.2ns"});
    choose_list(&s, NULL, &sum, list);
    ck_assert(list[0].cost == 1 && fabs(list[tree].cost - list[tree].seconds / list[0].seconds) < 1e-12);
    ck_assert_ptr_eq(choose(&s, NULL, &sum).engine, engines[0]);
}

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
    struct offer list[OFFERS_MOST];
    char what[200];
    choose_list(s, NULL, f, list);
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
    if (f->op == OP_ORDERED && s->block[f->collective] == SIZE_INF)
        REQUIRE(plan.blocks == 1, "%s: not the whole count", what);
    else
        REQUIRE(plan.engine->trees == 1 || plan.blocks % 2 == 0 || plan.blocks == f->units, "%s: odd", what);
    struct cut cut = {f->units, plan.blocks, plan.engine->trees};
    int64_t unit = f->bytes / f->units, block = s->block[f->collective] ? s->block[f->collective] : LARGEST_BLOCK;
    REQUIRE(cut_largest(&cut) == 1 || cut_largest(&cut) <= block / unit, "%s: a block of %" PRId64 " bytes", what,
            cut_largest(&cut) * unit);
    if (plan.reason != REASON_RANDOM) /* nothing that may serve is faster */
        for (int i = 0; list[i].engine; i++)
            REQUIRE(list[i].barred || list[engine_row(plan.engine)].cost * (!modelled ? 1
                                                                            : i == 0  ? NATIVE_MARGIN
                                                                                      : 1 / LATER_MARGIN) <=
                                          list[i].cost,
                    "%s: not %s?", what, engines[i]->name);
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
    for (size_t i = 0; i < COUNT(env); i++) {
        struct settings s = read_settings(env[i]);
        for_all(&s, check_plan);
    }
}

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
    for (size_t i = 0; i < COUNT(env); i++) {
        struct settings s = read_settings(env[i]);
        for_all(&s, close_to_best);
    }
}

SUITE("model", 60, seconds_by_hand, native_factor, least_regret, grid, cost_grows_with_the_message,
      blocks_are_close_to_the_optimum)
