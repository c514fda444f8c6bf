/* SPDX-License-Identifier: BSD-2-Clause */
/* What the choice goes by: measured figures where bits cannot change, single rows of the registry, rules. */
#include "grid.h"

/* ---- Reproducibility ------------------------------------------------------------------------------------------------- */

static int choices; /* calls whose engine some measurement changes */

/* Whatever was measured, the engine is the same; and the number of blocks, where the bits depend on it. */
static void what_was_measured(const struct settings *s, const struct facts *f, bool bits)
{
    static const double figures[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}, natives[] = {0.01, 1, 100};
    enum { FIGURES = sizeof figures / sizeof figures[0], NATIVES = sizeof natives / sizeof natives[0] };
    struct plan first = choose(s, NULL, f);
    bool changes = false;
    for (int i = 0; i < FIGURES * FIGURES * FIGURES * NATIVES; i++) {
        struct machine measured = *f->machine;
        struct facts now = *f;
        measured.measured = true;
        for (int link = 0; link < LINKS; link++)
            measured.figures[link] = (struct figures){figures[i % FIGURES], figures[i / FIGURES % FIGURES] * 1e-3,
                                                      figures[i / FIGURES / FIGURES % FIGURES] * 1e-3,
                                                      figures[i % FIGURES] / 5, figures[i % FIGURES] / 10};
        for (int c = 0; c < COLLECTIVES; c++)
            measured.native[c] = natives[i / FIGURES / FIGURES / FIGURES];
        now.machine = &measured;
        struct plan plan = choose(s, NULL, &now);
        REQUIRE(!bits || plan.engine == first.engine, "%s op=%d p=%d bytes=%" PRId64 ": %s, else %s",
                collective_name(f->collective), f->op, f->ranks, f->bytes, plan.engine->name, first.engine->name);
        REQUIRE(!bits || !plan.engine->order_varies || f->op != OP_ROUNDS || plan.blocks == first.blocks, "%s: blocks",
                plan.engine->name);
        changes |= plan.engine != first.engine;
    }
    choices += changes;
}

static int measurements_that_matter(const struct settings *s, enum op_class op, bool bits)
{
    static const int64_t few_sizes[] = {64 * K, 1000003, 100 * M};
    static const struct machine node = {.nodes = 1, .node_ranks = 64, .gathered = true, .consecutive = true};
    choices = 0;
    for (int c = 0; c < COLLECTIVES; c++)
        for (int m = 0; m < 3 && (c == COLL_BCAST) == (op == OP_NONE); m++)
            for (size_t r = 0; r < sizeof ranks_of / sizeof ranks_of[0]; r++)
                for (int k = 0; k < 3; k++) {
                    int64_t size = op == OP_NONE ? 1 : 8, units = few_sizes[m] / size + 8;
                    const struct machine *machine = k == 0 ? &spread : k == 1 ? &pairs : &node;
                    struct facts f = {(enum collective)c, op, 0, ranks_of[r], 0, units * size, units, machine};
                    what_was_measured(s, &f, bits);
                }
    return choices;
}

START_TEST(measurements_choose_no_bits)
{
    struct settings keep = read_settings((const char *[ENV]){NULL});
    struct settings may = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no"});
    struct settings named = read_settings((const char *[ENV]){"PLEACH_ENGINE=circulant,fractional"});
    ck_assert_int_eq(measurements_that_matter(&keep, OP_ROUNDS, true), 0);
    ck_assert_int_eq(measurements_that_matter(&keep, OP_ORDERED, true), 0);
    ck_assert_int_eq(measurements_that_matter(&named, OP_ROUNDS, true), 0);
    ck_assert_int_gt(measurements_that_matter(&keep, OP_EXACT, false), 0);
    ck_assert_int_gt(measurements_that_matter(&keep, OP_NONE, false), 0);
    ck_assert_int_gt(measurements_that_matter(&may, OP_ROUNDS, false), 0);
    ck_assert_int_gt(measurements_that_matter(&may, OP_ORDERED, false), 0);
}
END_TEST

/* Two ranks broadcast by one message, and no engine has a better one: not even where it takes a stream to be almost free. */
START_TEST(one_message)
{
    struct settings s = read_settings((const char *[ENV]){NULL});
    const struct figures g = {.alpha = 4e-6, .beta = 0.06e-9, .gamma = 0.04e-9, .hop = 1e-6, .gap = 0.1e-6};
    struct machine node = {.nodes = 1, .node_ranks = 2, .gathered = true, .consecutive = true, .measured = true};
    node.figures[LINK_NODE] = node.figures[LINK_NETWORK] = g;
    for (int c = 0; c < COLLECTIVES; c++)
        node.native[c] = 1;
    for (int64_t m = 64 * K; m <= 16 * M; m *= 2) {
        struct facts f = {COLL_BCAST, OP_NONE, 0, 2, 0, m, m, &node};
        const char *name = choose(&s, NULL, &f).engine->name;
        ck_assert_msg(strcmp(name, "native") == 0, "%s for %" PRId64 " bytes", name, m);
    }
    struct facts scan = {COLL_SCAN, OP_EXACT, 0, 2, 0, 64 * K, 8 * K, &node};
    ck_assert_ptr_ne(choose(&s, NULL, &scan).engine, engines[0]);
}
END_TEST

static void check_row(const struct settings *s, const struct facts *f)
{
    const struct shape shape = choose_shape(f, 1, 0);
    struct settings named = *s;
    for (int i = 1; engines[i]; i++)
        if (engine_fits(engines[i], &shape)) {
            named.engine[f->collective] = (struct engine_setting){.rows = (uint64_t)1 << i, .named = true};
            struct plan row = choose_row(s, NULL, f, i), plan = choose(&named, NULL, f);
            REQUIRE(row.engine == plan.engine && row.blocks == plan.blocks && row.group == plan.group &&
                        row.by_node == plan.by_node && row.seconds == plan.seconds && row.reason == plan.reason,
                    "%s %s p=%d bytes=%" PRId64, engines[i]->name, collective_name(f->collective), f->ranks, f->bytes);
        }
    struct plan native = choose_row(s, NULL, f, 0);
    REQUIRE(native.engine == engines[0] && native.blocks == 0 && !native.by_node, "native");
}

/* A row's plan is that of the engine when it is named, be it with a rule's size of blocks. */
START_TEST(a_row_as_if_named)
{
    const struct rule blocks = {.block = 64 * K, .figures = {-1, -1, -1, -1, -1}};
    struct settings s = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=0", "PLEACH_FRACTIONAL_R=3"});
    for_all(&s, check_row);
    ck_assert_int_eq(choose_row(&s, &blocks, &(struct facts)BCAST(8, 0, 10 * M), engine_row(engine_find("chain"))).blocks,
                     160);
}
END_TEST

/* What a rule does to a choice, and what comes before it. */
START_TEST(rules)
{
    static const struct {
        const char *env, *rule;
        struct facts facts;
        const char *engine;
        int64_t blocks; /* 0: any */
        enum reason reason;
    } table[] = {
        {NULL, "engine=binomial", BCAST(8, 0, M), "binomial", 0, REASON_RULE},
        {NULL, "engine=binomial block=100K", BCAST(8, 0, M), "binomial", 11, REASON_RULE},
        {"PLEACH_BLOCK=512K", "engine=binomial block=100K", BCAST(8, 0, M), "binomial", 2, REASON_RULE},
        {NULL, "engine=native", SCAN(OP_EXACT, 8, 16 * M), "native", 0, REASON_RULE},
        {NULL, "engine=native,chain", SCAN(OP_EXACT, 8, 16 * M), "chain", 0, REASON_RULE},
        {NULL, "engine=^chain", SCAN(OP_EXACT, 8, 16 * M), "two-tree", 0, REASON_MODEL},
        {NULL, "engine=auto", SCAN(OP_EXACT, 8, 16 * M), "chain", 0, REASON_MODEL},
        {NULL, "alpha=1s", SCAN(OP_EXACT, 8, 16 * M), "native", 0, REASON_MODEL},
        {"PLEACH_ALPHA=5us", "alpha=1s", SCAN(OP_EXACT, 8, 16 * M), "chain", 0, REASON_MODEL},
        {"PLEACH_ENGINE=two-tree", "engine=binomial", BCAST(8, 0, M), "two-tree", 0, REASON_FORCED},
        {"PLEACH_ENGINE=^binomial", "engine=binomial,chain", BCAST(8, 0, M), "chain", 0, REASON_RULE},
        {"PLEACH_ENGINE=^chain", "engine=chain", SCAN(OP_EXACT, 8, 16 * M), "two-tree", 0, REASON_MODEL},
        {NULL, "engine=chain", REDUCE(OP_ORDERED, 8, 7, 16 * M), "chain", 0, REASON_RULE},
        {NULL, "engine=chain", REDUCE(OP_ORDERED, 8, 3, 16 * M), "ring", 0, REASON_MODEL}, /* does not fit there */
        {NULL, "engine=chain", {COLL_SCAN, OP_EXACT, 0, 8, 0, 16 * M, M, &full}, "chain", 0, REASON_RULE},
        {NULL, "engine=^chain", {COLL_SCAN, OP_EXACT, 0, 8, 0, 16 * M, M, &full}, "native", 0, REASON_OVERSUBSCRIBED},
        {NULL, "engine=chain", BCAST(8, 0, 64 * K - 1), "native", 0, REASON_BELOW_THRESHOLD},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "pleach-rules 1\n-> %s\n", table[i].rule);
        struct rules *r = rules_parse(text, NULL, NULL);
        ck_assert_msg(r != NULL, "%s", text);
        struct settings s = read_settings((const char *[ENV]){table[i].env});
        struct plan plan = choose(&s, rules_find(r, &table[i].facts, 0), &table[i].facts);
        ck_assert_msg(strcmp(plan.engine->name, table[i].engine) == 0 && plan.reason == table[i].reason, "%s, %s: %s, %s",
                      table[i].env ? table[i].env : "-", table[i].rule, plan.engine->name, reason_word(plan.reason));
        ck_assert(!table[i].blocks || plan.blocks == table[i].blocks);
        free(r);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {measurements_choose_no_bits, one_message, a_row_as_if_named, rules};
    return run_suite("choose_by", tests, sizeof tests / sizeof tests[0], 60, NULL, 0);
}
