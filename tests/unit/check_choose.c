/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice by the model, and by draws. */
#include "grid.h"
#include "layout.h"
#include "policy.h"

/*
 * The engines and numbers of blocks that the default settings give on a machine that is not measured. A layout has one rank
 * on each node (spread), two (pairs), four (fours), or all on one node (node). If engines may number the ranks node by node,
 * the plan is the same for consecutive ranks and for ranks dealt out in turn.
 */
static const char *const choices[] = {
    /* collective, operation, root, layout, ranks; 64K, 512K, 4M, 32M */
    "bcast  -        0 spread    2   native             native             native             native",
    "bcast  -        0 spread    8   circulant/5        circulant/13       circulant/37       chain/179",
    "bcast  -        0 spread   64   circulant/8        circulant/20       circulant/58       two-tree/244",
    "bcast  -        0 fours    64   two-tree/8         chain/48           chain/135          chain/382",
    "bcast  -        0 pairs  1000   two-tree/8         two-tree/40        two-tree/112       chain/1830",
    "bcast  -        0 node      8   circulant/5        circulant/14       circulant/41       chain/201",
    "bcast  -        0 node   1000   circulant/8        circulant/64       two-tree/512       two-tree/4096",
    "reduce exact    0 spread    8   circulant/5        circulant/14       circulant/41       chain/201",
    "reduce exact    0 spread 1000   native             circulant/31       circulant/87       two-tree/358",
    "reduce exact    0 fours     8   native             chain/19           chain/53           chain/149",
    "reduce exact    0 node      8   circulant/8        circulant/20       chain/100          chain/284",
    "reduce exact    0 node   1000   native             circulant/64       two-tree/512       two-tree/4096",
    "reduce rounding 0 spread   64   native             two-tree/34        two-tree/96        two-tree/272",
    "reduce rounding 0 fours     8   chain/8            chain/19           chain/53           chain/149",
    "reduce rounding 0 node     64   native             two-tree/64        two-tree/512       chain/2159",
    "reduce user     0 spread    2   chain/1            chain/2            chain/16           chain/128",
    "reduce user     0 spread   64   two-tree/8         two-tree/34        two-tree/96        two-tree/272",
    "reduce user     0 fours  1000   two-tree/8         two-tree/44        two-tree/126       chain/1919",
    "reduce user     0 node     64   two-tree/8         two-tree/64        two-tree/512       chain/2159",
    "reduce user     1 spread    3   ring/5             ring/14            ring/41            ring/128",
    "reduce user     1 spread 1000   two-tree/8         two-tree/44        two-tree/126       ring/2589",
    "reduce user     1 node   1000   two-tree/8         two-tree/64        two-tree/512       ring/4096",
    "scan   any      0 spread    2   chain/1            chain/2            chain/16           chain/128",
    "scan   any      0 spread   64   doubling/1         chain/64           chain/228          chain/645",
    "scan   exact    0 spread 1000   doubly-pipelined/8 two-tree/64        two-tree/150       chain/2588",
    "scan   rounding 0 spread 1000   doubling/1         two-tree/64        two-tree/150       chain/2588",
    "scan   any      0 fours    64   native             chain/64           chain/169          chain/478",
    "scan   rounding 0 pairs  1000   native             doubly-pipelined/33 chain/512          chain/2165",
    "scan   any      0 node     64   two-tree/8         chain/64           chain/512          chain/2159",
    "exscan exact    0 spread 1000   doubly-pipelined/8 two-tree/64        two-tree/150       chain/2588",
    "exscan rounding 0 spread 1000   doubling/1         two-tree/64        two-tree/150       chain/2588",
    "exscan any      0 fours    64   native             chain/64           chain/169          chain/478",
    "exscan rounding 0 fours  1000   native             doubly-pipelined/33 chain/512          chain/1919",
    "exscan rounding 0 node     64   two-tree/8         chain/64           chain/512          chain/2159",
    "allreduce any      0 spread    3   butterfly/3        butterfly/18       butterfly/129      butterfly/1026",
    "allreduce exact    0 spread    8   native             native             butterfly/128      butterfly/1024",
    "allreduce user     0 spread    8   butterfly/4        butterfly/16       butterfly/128      butterfly/1024",
    "allreduce user     0 spread   12   butterfly/12       butterfly/24       butterfly/132      butterfly/1032",
    "allreduce exact    0 spread   97   circulant/97       circulant/97       circulant/194      butterfly/1067",
    "allreduce user     0 spread   97   two-tree/8         two-tree/36        butterfly/194      butterfly/1067",
    "allreduce exact    0 fours    64   butterfly/32       butterfly/64       butterfly/128      butterfly/1024",
    "allreduce user     0 fours    72   butterfly/72       butterfly/72       butterfly/144      butterfly/1080",
    "allreduce exact    0 node      8   native             native             native             native",
    "allreduce rounding 0 node      6   butterfly/6        butterfly/18       butterfly/132      butterfly/1026",
    "allreduce user     0 node      8   butterfly/8        butterfly/16       butterfly/128      butterfly/1024",
};

/* The plan on `nodes` nodes of k consecutive ranks each. If k is 0, the ranks are dealt to the nodes in turn. */
static struct plan plan_on(struct facts f, int nodes, int k)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    int *node = calloc((size_t)f.ranks, sizeof *node), *order = calloc((size_t)f.ranks, sizeof *order);
    struct machine machine = {.nodes = 0};
    for (int r = 0; r < f.ranks; r++)
        node[r] = k ? r / k : r % nodes;
    ck_assert(layout_of(node, f.ranks, &machine, order));
    free(node);
    free(order);
    f.machine = &machine;
    return choose(&s, NULL, &f);
}

LOOPED_TEST(the_model_chooses, COUNT(choices))
{
    static const char *const ops[] = {"-", "exact", "rounding", "user"};
    char collective[12], op[12], layout[8], cell[4][32], found[32];
    struct facts f = {.collective = COLL_BCAST};
    ck_assert_int_eq(sscanf(choices[_i], "%11s %11s %d %7s %d %31s %31s %31s %31s", collective, op, &f.root, layout,
                            &f.ranks, cell[0], cell[1], cell[2], cell[3]),
                     9);
    ck_assert(collective_parse(collective, &f.collective));
    int k = strcmp(layout, "spread") == 0  ? 1
            : strcmp(layout, "pairs") == 0 ? 2
            : strcmp(layout, "fours") == 0 ? 4
                                           : f.ranks;
    int nodes = (f.ranks + k - 1) / k;
    for (int i = 0; i < 4; i++)
        for (int o = OP_NONE; o <= OP_ORDERED; o++) {
            if (strcmp(op, ops[o]) != 0 && (o == OP_NONE || strcmp(op, "any") != 0))
                continue;
            f.op = (enum op_class)o;
            f.bytes = 64 * K << 3 * i;
            f.units = o == OP_NONE ? f.bytes : f.bytes / 8;
            struct plan plan = plan_on(f, nodes, k), dealt = plan_on(f, nodes, 0);
            snprintf(found, sizeof found, plan.blocks ? "%s/%" PRId64 : "%s", plan.engine->name, plan.blocks);
            ck_assert_msg(strcmp(found, cell[i]) == 0, "%s, %" PRId64 " bytes: %s", choices[_i], f.bytes, found);
            ck_assert(plan.reason == (plan.engine == engines[0] ? REASON_NATIVE_FASTER : REASON_MODEL));
            bool any_order = o == OP_NONE || (o != OP_ORDERED && f.collective == COLL_REDUCE);
            ck_assert(!any_order || (dealt.engine == plan.engine && dealt.blocks == plan.blocks));
        }
}

/* The model never chooses a reference engine, however fast it is. A setting that names the engine gets it. */
START_TEST(references)
{
    static const struct facts call = {BCAST(8, 0, M)};
    const struct shape shape = choose_shape(&call, 1);
    struct offer list[OFFERS_MOST];
    struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=^circulant"});
    int mirror = engine_row(engine_find("two-tree-mirror")), rows = choose_list(&s, NULL, &call, list);
    ck_assert(rows == engine_count() && !list[rows].engine);
    for (int i = 0; i < rows; i++) {
        bool reference = engines[i]->serves[COLL_BCAST].model.reference && engine_fits(engines[i], &shape);
        ck_assert(list[i].engine == engines[i] && list[i].reference == reference);
        ck_assert((list[i].barred == NULL) == (list[i].seconds > 0));
    }
    ck_assert_str_eq(list[mirror].barred, "a reference: it serves where it is named");
    choose_predict(&s, NULL, &call, &list[mirror]);
    ck_assert(list[mirror].seconds > 0 && list[mirror].blocks > 1);
    s = read_settings((const char *[ENV]){"PLEACH_ENGINE=two-tree-mirror"});
    ck_assert_ptr_eq(choose(&s, NULL, &call).engine, engines[mirror]);
    choose_list(&s, NULL, &call, list);
    ck_assert_str_eq(list[0].barred, "not among the engines that may serve");
}

/* The reasons why engines may not serve. */
START_TEST(bars)
{
    static const struct {
        const char *engine;
        struct facts facts;
        const char *barred;
    } table[] = {
        {"chain", {BCAST(8, 0, M)}, NULL},
        {"ring", {BCAST(8, 0, M)}, "has no schedule for this collective"},
        {"chain", {REDUCE(OP_ORDERED, 8, 3, M)}, "a commutative operation, or root 0 or p-1"},
        {"circulant", {REDUCE(OP_ROUNDS, 8, 0, M)}, "the order of operands varies with the number of blocks"},
        {"circulant", {REDUCE(OP_EXACT, 8, 0, M)}, NULL},
        {"circulant", {REDUCE(OP_ROUNDS, 2, 0, M), .symmetric = true}, NULL},
        {"doubling", {ON(pairs, SCAN, EXACT, 8, 0, M, M)}, "made for one rank a node"},
        {"doubling", {SCAN(OP_EXACT, 8, M)}, NULL},
        {"smp-phases", {ON(full, SCAN, EXACT, 8, 0, M, M)}, "made for several ranks a node"},
        {"smp-phases", {ON(pairs, SCAN, EXACT, 8, 0, M, M)}, NULL},
        {"two-tree", {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true}, NULL},
        {"smp", {ON(pairs, SCAN, EXACT, 8, 0, M, M)}, "a reference: it serves where it is named"},
    };
    struct offer list[OFFERS_MOST];
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct machine dealt = {.nodes = 2, .node_ranks = 4};
    ck_assert_int_eq(choose_shape(&(struct facts){ON(dealt, SCAN, EXACT, 8, 0, M, M)}, 1).node_ranks, 0);
    for (size_t i = 0; i < COUNT(table); i++) {
        choose_list(&s, NULL, &table[i].facts, list);
        const char *barred = list[engine_row(engine_find(table[i].engine))].barred;
        ck_assert_msg(!barred == !table[i].barred && (!barred || strcmp(barred, table[i].barred) == 0), "row %zu: %s", i,
                      barred ? barred : "not barred");
    }
}

/* random:SEED draws native about as often as each engine that fits. Another seed draws other engines. */
START_TEST(random_covers_all)
{
    struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=random:1"});
    struct settings t = read_settings((const char *[ENV]){"PLEACH_ENGINE=random:2"});
    for (enum collective c = 0; c < COLLECTIVES; c++) {
        int drawn[64] = {0}, differ = 0, fits = 1;
        for (int i = 0; i < 4000; i++) {
            enum op_class op = c == COLL_BCAST ? OP_NONE : OP_EXACT;
            struct facts f = {FACTS(c, op, REASON_NONE, 8 + i % 3, 0, M + 8 * i, M / 8 + i, i % 2 ? &full : &spread)};
            struct plan plan = choose(&s, NULL, &f);
            ck_assert_int_eq(plan.reason, REASON_RANDOM);
            drawn[engine_row(plan.engine)]++;
            differ += plan.engine != choose(&t, NULL, &f).engine;
        }
        const struct shape shape = {.collective = c, .ranks = 8, .blocks = 1, .node_ranks = 1};
        for (int i = 1; engines[i]; i++)
            fits += engine_fits(engines[i], &shape);
        for (int i = 0; engines[i]; i++) {
            bool may = i == 0 || engine_fits(engines[i], &shape);
            ck_assert_msg(may ? abs(drawn[i] - 4000 / fits) < 400 : drawn[i] == 0, "%s %s was drawn %d times of 4000",
                          engines[i]->name, collective_name(c), drawn[i]);
        }
        ck_assert_int_gt(differ, 1000);
    }
}

/* The settings allow native alone, or no engine at all. Both times the call is native. */
START_TEST(all_engines_excluded)
{
    struct settings s = read_settings((const char *[ENV]){NULL});
    for (uint64_t rows = 0; rows < 2; rows++) {
        s.engine[COLL_BCAST].rows = rows;
        struct plan plan = choose(&s, NULL, &(struct facts){BCAST(8, 0, M)});
        ck_assert(plan.engine == engines[0] && plan.blocks == 0 && plan.reason == REASON_NOT_APPLICABLE);
    }
}

/* A learned rule is for calls of up to twice the size. If the measured call has one block, all of them have. */
START_TEST(blocks_of_learned_rules)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct facts few = {SCAN(OP_EXACT, 8, K)}, more = {SCAN(OP_EXACT, 8, 2 * K - 8)};
    const struct plan one = choose_row(&s, NULL, &few, engine_row(engine_find("doubling")));
    struct rule learned = rule_blank;
    ck_assert_int_eq(one.blocks, 1);
    learned.block = choose_block_up_to(&s, &few, &one, 2 * K);
    ck_assert_int_eq(choose_row(&s, &learned, &more, engine_row(one.engine)).blocks, 1);
    learned.block = choose_block(&s, &few, &one);
    ck_assert_int_eq(choose_row(&s, &learned, &more, engine_row(one.engine)).blocks, 2);
    const struct facts large = {SCAN(OP_EXACT, 8, M)};
    const struct plan chain = choose_row(&s, NULL, &large, engine_row(engine_find("chain")));
    ck_assert_int_gt(chain.blocks, 1);
    ck_assert_int_eq(choose_block_up_to(&s, &large, &chain, 2 * M), choose_block(&s, &large, &chain));
}

/* With the block of its rule, an engine of cells or lanes cuts a call as it did without one. */
START_TEST(learned_rules_keep_the_cut)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct machine machine[] = {
        {.nodes = 1, .node_ranks = 16, .node_least = 16, .consecutive = true, .one_node = true, .cell = 64 * K},
        {.nodes = 4, .node_ranks = 4, .node_least = 4, .consecutive = true, .cell = 64 * K}};
    int rules = 0;
    for (int i = 0; engines[i / 4]; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int64_t bytes = K; bytes <= 4 * M; bytes += bytes / 16 * 8) {
                const enum op_class op = !collective_reduces(c) ? OP_NONE : i % 2 ? OP_ORDERED : OP_EXACT;
                const int64_t units = op == OP_NONE ? bytes : bytes / 8;
                const struct machine *m = &machine[i / 2 % 2];
                const struct facts f = {FACTS(c, op, REASON_NONE, 16, 0, bytes, units, m)};
                const struct service *service = &engines[i / 4]->serves[c];
                if (!(service->segment.cells || service->composed) || !policy_fits(engines[i / 4], &f))
                    continue;
                const struct plan own = choose_row(&s, NULL, &f, i / 4);
                struct rule learned = rule_blank;
                learned.block = choose_block_up_to(&s, &f, &own, 2 * bytes);
                const struct plan kept = choose_row(&s, &learned, &f, i / 4);
                REQUIRE(kept.blocks == own.blocks && kept.wide == own.wide, "%s, %d bytes: %d blocks instead of %d",
                        own.engine->name, (int)bytes, (int)kept.blocks, (int)own.blocks);
                rules++;
            }
    ck_assert_int_gt(rules, 500);
}

SUITE("choose", 60)
