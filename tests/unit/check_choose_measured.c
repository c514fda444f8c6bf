/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice and what is measured: which figures it takes, what needs measuring, and that measurements choose no bits. */
#include "grid.h"

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
    for (int i = 0; i < FIGURES * FIGURES * FIGURES * NATIVES; i += whole_or(5, 11)) {
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
        for (enum collective c = 0; c < COLLECTIVES; c++)
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
    static const struct machine node = {.nodes = 1, .node_ranks = 64, IN_ORDER};
    choices = cuts = 0;
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (int m = 0; m < 3 && (c == COLL_BCAST) == (op == OP_NONE); m++)
            for (size_t r = 0; r < COUNT(ranks_of); r += 2)
                for (int k = 0; k < 3; k++) {
                    int64_t size = op == OP_NONE ? 1 : 8, units = few_sizes[m] / size + 8;
                    const struct machine *machine = k == 0 ? &spread : k == 1 ? &pairs : &node;
                    struct facts f = {FACTS(c, op, REASON_NONE, ranks_of[r], 0, units * size, units, machine)};
                    f.symmetric = symmetric;
                    const bool combines = c != COLL_EXSCAN || f.ranks > 2;
                    if ((!symmetric || f.ranks == 2) && (combines || !bits))
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
 * What it costs that no measurement decides about bits: on many networks, the predicted time of the engine that is chosen
 * over that of the best one. pleach(7) has these numbers. Calls of 4 to 64 KiB, in which engines differ most.
 */
START_TEST(cost_of_not_measuring)
{
    static const double alphas[] = {1e-6, 2e-6, 4e-6, 8e-6, 15e-6, 30e-6, 60e-6, 120e-6};
    static const double gbit[] = {1, 10, 25, 100, 200, 400};
    static const int ranks[] = {4, 6, 8, 13, 16, 32, 64, 128};
    const struct settings keep = read_settings((const char *[ENV]){NULL});
    const struct settings may = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no"});
    double sum = 0;
    int calls = 0, dear = 0; /* calls; those that take over a quarter longer than by the best engine */
    for (size_t i = 0; i < COUNT(alphas) * COUNT(gbit) * COUNT(ranks); i++)
        for (int64_t m = 4 * K; m <= 64 * K; m *= 2)
            for (int kind = 0; kind < 2 * COLLECTIVES; kind++) {
                const double alpha = alphas[i % COUNT(alphas)], beta = 8e-9 / gbit[i / COUNT(alphas) % COUNT(gbit)];
                const int p = ranks[i / COUNT(alphas) / COUNT(gbit)], c = kind / 2;
                const enum op_class op = kind % 2 ? OP_ROUNDS : OP_ORDERED;
                struct facts f = {FACTS(c, op, REASON_NONE, p, 0, m, m / 8, &spread)};
                struct machine network = spread;
                struct offer unmeasured[OFFERS_MOST], measured[OFFERS_MOST];
                double best = INFINITY, taken = INFINITY;
                if (c == COLL_BCAST || c == COLL_ALLREDUCE || alpha < 2000 * beta || alpha > 200000 * beta || !sampled(3))
                    continue; /* no such network, or not in the sample */
                network.measured = true;
                network.figures[LINK_NETWORK] = (struct figures){alpha, beta, 0.1e-9, 0.7 * alpha, 0.25 * alpha, 0};
                choose_list(&keep, NULL, &f, unmeasured);
                const struct engine *engine = choose(&keep, NULL, &f).engine;
                f.machine = &network;
                choose_list(&may, NULL, &f, measured);
                for (int row = 0; unmeasured[row].engine; row++)
                    if (!unmeasured[row].barred && !measured[row].barred) {
                        best = fmin(best, measured[row].seconds);
                        taken = measured[row].engine == engine ? measured[row].seconds : taken;
                    }
                sum += taken / best;
                dear += taken > 1.25 * best;
                calls++;
            }
    ck_assert_int_gt(calls, whole_or(5000, 1500));
    ck_assert_msg(sum / calls < 1.03, "mean %.3f", sum / calls);
    ck_assert_msg(dear < 0.03 * calls, "%d of %d calls", dear, calls);
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
        for (enum collective c = COLL_REDUCE; c < COLLECTIVES; c++)
            for (int64_t m = K; m <= M; m *= 2)
                for (size_t r = 0; r < COUNT(ranks_of); r++) {
                    struct machine measured = spread;
                    struct facts f = {FACTS(c, OP_ORDERED, REASON_NONE, ranks_of[r], 0, m, m / 8, &spread)};
                    const struct rule told = {.figures = networks[n]};
                    const struct plan as_told = choose(&keep, &told, &f), untold = choose(&keep, NULL, &f);
                    measured.measured = true;
                    measured.figures[LINK_NETWORK] = networks[n];
                    f.machine = &measured;
                    const struct plan wanted = choose(&may, NULL, &f);
                    REQUIRE(as_told.engine == wanted.engine && as_told.blocks == wanted.blocks, "%s p=%d bytes=%" PRId64,
                            collective_name(c), f.ranks, m);
                    differ += as_told.engine != untold.engine;
                }
    ck_assert_int_gt(differ, 20);
}

SUITE("choose_measured", 60)
