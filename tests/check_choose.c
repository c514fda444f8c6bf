/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice by the model, and by draws. */
#include "cell.h"
#include "grid.h"
#include "layout.h"

/*
 * The engines and numbers of blocks that the default settings give on a machine that is not measured. A layout has one rank
 * on each node (spread), two (pairs), four (fours), or all on one node (node). If engines may number the ranks node by node,
 * the plan is the same for consecutive ranks and for ranks dealt out in turn.
 */
static const char *const choices[] = {
    /* collective, operation, root, layout, ranks; 64K, 512K, 4M, 32M */
    "bcast  -        0 spread    2   native             native             native             native",
    "bcast  -        0 spread    3   native             chain/9            chain/26           chain/128",
    "bcast  -        0 spread    8   circulant/5        circulant/13       circulant/37       chain/179",
    "bcast  -        0 spread   64   circulant/8        circulant/20       circulant/58       two-tree/244",
    "bcast  -        0 spread 1000   circulant/8        circulant/27       circulant/78       two-tree/320",
    "bcast  -        0 fours     8   chain/5            chain/15           chain/42           chain/128",
    "bcast  -        0 fours    64   two-tree/8         chain/48           chain/135          chain/382",
    "bcast  -        0 pairs  1000   bintree/8          two-tree/40        bintree/76         chain/1830",
    "bcast  -        0 node      8   circulant/5        circulant/14       circulant/41       chain/201",
    "bcast  -        0 node     64   circulant/8        circulant/64       two-tree/244       circulant/463",
    "bcast  -        0 node   1000   circulant/8        circulant/64       two-tree/512       two-tree/4096",
    "reduce exact    0 spread    8   circulant/5        circulant/14       circulant/41       chain/201",
    "reduce exact    0 spread   64   circulant/8        circulant/23       circulant/65       two-tree/272",
    "reduce exact    0 spread 1000   native             circulant/31       circulant/87       two-tree/358",
    "reduce exact    0 fours     8   native             chain/19           chain/53           chain/149",
    "reduce exact    0 fours    64   native             native             chain/169          chain/478",
    "reduce exact    0 node      8   circulant/8        circulant/20       chain/100          chain/284",
    "reduce exact    0 node     64   circulant/8        circulant/64       two-tree/512       chain/2159",
    "reduce exact    0 node   1000   native             circulant/64       two-tree/512       two-tree/4096",
    "reduce rounding 0 spread    8   two-tree/8         chain/25           chain/71           chain/201",
    "reduce rounding 0 spread   64   native             two-tree/34        two-tree/96        two-tree/272",
    "reduce rounding 0 fours     8   chain/8            chain/19           chain/53           chain/149",
    "reduce rounding 0 fours    64   native             native             chain/169          chain/478",
    "reduce rounding 0 node     64   native             two-tree/64        two-tree/512       chain/2159",
    "reduce user     0 spread    2   chain/1            chain/2            chain/16           chain/128",
    "reduce user     0 spread    8   two-tree/8         chain/25           chain/71           chain/201",
    "reduce user     0 spread   64   two-tree/8         two-tree/34        two-tree/96        two-tree/272",
    "reduce user     0 spread 1000   two-tree/8         two-tree/44        two-tree/126       two-tree/358",
    "reduce user     0 fours    64   two-tree/8         two-tree/34        chain/169          chain/478",
    "reduce user     0 fours  1000   two-tree/8         two-tree/44        two-tree/126       chain/1919",
    "reduce user     0 node      2   chain/1            chain/2            chain/16           chain/128",
    "reduce user     0 node      8   two-tree/8         chain/35           chain/100          chain/284",
    "reduce user     0 node     64   two-tree/8         two-tree/64        two-tree/512       chain/2159",
    "reduce user     0 node   1000   two-tree/8         two-tree/64        two-tree/512       two-tree/4096",
    "reduce user     1 spread    3   ring/5             ring/14            ring/41            ring/128",
    "reduce user     1 spread   64   two-tree/8         ring/64            ring/230           ring/650",
    "reduce user     1 spread 1000   two-tree/8         two-tree/44        two-tree/126       ring/2589",
    "reduce user     1 fours    64   two-tree/8         ring/64            ring/170           ring/482",
    "reduce user     1 node     64   two-tree/8         ring/64            ring/512           ring/2176",
    "reduce user     1 node   1000   two-tree/8         two-tree/64        two-tree/512       ring/4096",
    "scan   any      0 spread    2   chain/1            chain/2            chain/16           chain/128",
    "scan   any      0 spread    8   chain/8            chain/25           chain/71           chain/201",
    "scan   any      0 spread   64   doubling/1         chain/64           chain/228          chain/645",
    "scan   exact    0 spread 1000   doubly-pipelined/8 two-tree/64        two-tree/150       chain/2588",
    "scan   rounding 0 spread 1000   doubling/1         two-tree/64        two-tree/150       chain/2588",
    "scan   any      0 fours    64   native             chain/64           chain/169          chain/478",
    "scan   exact    0 pairs  1000   doubly-pipelined/8 doubly-pipelined/33 chain/512          chain/2165",
    "scan   rounding 0 pairs  1000   native             doubly-pipelined/33 chain/512          chain/2165",
    "scan   any      0 node      8   chain/8            chain/35           chain/100          chain/284",
    "scan   any      0 node     64   two-tree/8         chain/64           chain/512          chain/2159",
    "scan   any      0 node   1000   doubly-pipelined/8 two-tree/64        two-tree/512       chain/4096",
    "exscan exact    0 spread   64   native             chain/64           chain/228          chain/645",
    "exscan rounding 0 spread   64   doubling/1         chain/64           chain/228          chain/645",
    "exscan exact    0 spread 1000   doubly-pipelined/8 two-tree/64        two-tree/150       chain/2588",
    "exscan rounding 0 spread 1000   doubling/1         two-tree/64        two-tree/150       chain/2588",
    "exscan any      0 fours    64   native             chain/64           chain/169          chain/478",
    "exscan exact    0 fours  1000   doubly-pipelined/8 doubly-pipelined/33 chain/512          chain/1919",
    "exscan rounding 0 fours  1000   native             doubly-pipelined/33 chain/512          chain/1919",
    "exscan exact    0 node     64   two-tree/8         chain/64           chain/512          chain/2159",
    "exscan rounding 0 node     64   two-tree/8         chain/64           chain/512          chain/2159",
    "allreduce exact    0 spread    2   native             native             butterfly/128      butterfly/1024",
    "allreduce any      0 spread    3   butterfly/3        butterfly/18       butterfly/129      butterfly/1026",
    "allreduce exact    0 spread    8   native             native             butterfly/128      butterfly/1024",
    "allreduce rounding 0 spread    8   native             native             butterfly/128      butterfly/1024",
    "allreduce user     0 spread    8   butterfly/8        butterfly/16       butterfly/128      butterfly/1024",
    "allreduce exact    0 spread   12   butterfly/12       butterfly/24       butterfly/132      butterfly/1032",
    "allreduce user     0 spread   12   butterfly/12       butterfly/24       butterfly/132      butterfly/1032",
    "allreduce exact    0 spread   97   circulant/97       circulant/97       circulant/194      butterfly/1067",
    "allreduce rounding 0 spread   97   circulant/97       circulant/97       circulant/194      butterfly/1067",
    "allreduce user     0 spread   97   two-tree/8         two-tree/36        butterfly/194      butterfly/1067",
    "allreduce exact    0 fours    64   butterfly/64       butterfly/64       butterfly/128      butterfly/1024",
    "allreduce rounding 0 fours    72   butterfly/72       butterfly/72       butterfly/144      butterfly/1080",
    "allreduce user     0 fours    72   butterfly/72       butterfly/72       butterfly/144      butterfly/1080",
    "allreduce user     0 pairs  1000   butterfly/1000     butterfly/1000     butterfly/1000     butterfly/2000",
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
    const struct shape shape = choose_shape(&call, 1, 0);
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
        {"doubling", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, M, M, &pairs)}, "made for one rank a node"},
        {"doubling", {SCAN(OP_EXACT, 8, M)}, NULL},
        {"smp-phases", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, M, M, &full)}, "made for several ranks a node"},
        {"smp-phases", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, M, M, &pairs)}, NULL},
        {"two-tree", {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true}, "does not have the bits of the native call"},
        {"butterfly", {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true}, NULL},
        {"native", {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true}, NULL},
        {"two-tree", {ALLREDUCE(OP_ROUNDS, 8, M)}, NULL},
        {"two-tree", {ALLREDUCE(OP_ROUNDS, 2, M), .symmetric = true}, NULL},
        {"two-tree", {ALLREDUCE(OP_ROUNDS, 12, M), .symmetric = true}, NULL},
        {"two-tree", {ALLREDUCE(OP_EXACT, 8, M)}, NULL},
        {"two-tree", {REDUCE(OP_ROUNDS, 8, 0, M), .symmetric = true}, NULL},
        {"smp", {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, M, M, &pairs)}, "a reference: it serves where it is named"},
    };
    const struct settings any = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no"});
    const struct settings named = read_settings((const char *[ENV]){"PLEACH_ENGINE=two-tree"});
    const struct facts sum = {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true};
    struct offer list[OFFERS_MOST];
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct machine dealt = {.nodes = 2, .node_ranks = 4};
    ck_assert_int_eq(
        choose_shape(&(struct facts){FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 8, 0, M, M, &dealt)}, 1, 0).node_ranks, 0);
    for (size_t i = 0; i < COUNT(table); i++) {
        choose_list(&s, NULL, &table[i].facts, list);
        const char *barred = list[engine_row(engine_find(table[i].engine))].barred;
        ck_assert_msg(!barred == !table[i].barred && (!barred || strcmp(barred, table[i].barred) == 0), "row %zu: %s", i,
                      barred ? barred : "not barred");
    }
    choose_list(&any, NULL, &sum, list);
    ck_assert_ptr_null(list[engine_row(engine_find("two-tree"))].barred);
    choose_list(&named, NULL, &sum, list);
    ck_assert_ptr_null(list[engine_row(engine_find("two-tree"))].barred);
}

/* random:SEED draws native about as often as each engine that fits. Another seed draws other engines. */
START_TEST(random_covers_all)
{
    struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=random:1"});
    struct settings t = read_settings((const char *[ENV]){"PLEACH_ENGINE=random:2"});
    for (int c = 0; c < COLLECTIVES; c++) {
        int drawn[64] = {0}, differ = 0, fits = 1;
        for (int i = 0; i < 4000; i++) {
            enum op_class op = c == COLL_BCAST ? OP_NONE : OP_EXACT;
            struct facts f = {
                FACTS((enum collective)c, op, REASON_NONE, 8 + i % 3, 0, M + 8 * i, M / 8 + i, i % 2 ? &full : &spread)};
            struct plan plan = choose(&s, NULL, &f);
            ck_assert_int_eq(plan.reason, REASON_RANDOM);
            drawn[engine_row(plan.engine)]++;
            differ += plan.engine != choose(&t, NULL, &f).engine;
        }
        const struct shape shape = {.collective = (enum collective)c, .ranks = 8, .blocks = 1, .node_ranks = 1};
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

/* Two ranks broadcast by one message. No engine is better, even if its stream of messages is predicted to be almost free. */
START_TEST(one_message)
{
    struct settings s = read_settings((const char *[ENV]){NULL});
    const struct figures g = {.alpha = 4e-6, .beta = 0.06e-9, .gamma = 0.04e-9, .hop = 1e-6, .gap = 0.1e-6};
    struct machine node = {.nodes = 1, .node_ranks = 2, .gathered = true, .consecutive = true, .measured = true};
    node.figures[LINK_NODE] = node.figures[LINK_NETWORK] = g;
    for (int i = 0; i < NATIVE_SIZES; i++)
        node.native[COLL_BCAST][i] = node.native[COLL_SCAN][i] = 1;
    for (int64_t m = 64 * K; m <= 16 * M; m *= 2) {
        struct facts f = {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 2, 0, m, m, &node)};
        const char *name = choose(&s, NULL, &f).engine->name;
        ck_assert_msg(strcmp(name, "native") == 0, "%s for %" PRId64 " bytes", name, m);
    }
    struct facts scan = {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 2, 0, 64 * K, 8 * K, &node)};
    ck_assert_ptr_ne(choose(&s, NULL, &scan).engine, engines[0]);
}

/* Two ranks, whose node and segment were measured. */
static struct machine two_on_a_node(void)
{
    const struct figures g = {.alpha = 2.28e-6, .beta = 0.042e-9, .gamma = 0.09e-9, .hop = 2.28e-6, .gap = 0.28e-6};
    return (struct machine){.nodes = 1,
                            .node_ranks = 2,
                            .gathered = true,
                            .consecutive = true,
                            .measured = true,
                            .near = true,
                            .shared_tried = true,
                            .cell = segment_cell_bytes(2, 1),
                            .segment = {0.2e-6, 0.056e-9, 0.061e-9, 0.061e-9, 0.059e-9},
                            .figures = {[LINK_NODE] = g, [LINK_NETWORK] = g}};
}

/*
 * Native calls are measured in a row, where calls through a segment overlap. Of 16 KiB, a broadcast alone takes 2.2 us by
 * node-copy and 2.3 us by native; in a row, node-copy takes 1.4 us. Of 64 KiB, it takes 5.2 us in a row, and native 4.6 us.
 * Of 40 KiB, it takes 3.4 us in a row, and native 3.5 us; in an endless row, it takes less by more than the margin.
 */
START_TEST(calls_in_a_row)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct machine node = two_on_a_node();
    for (int i = 0; i < NATIVE_SIZES; i++)
        node.native[COLL_BCAST][i] = (double[]){0.78, 0.95, 1.4}[i];
    for (int64_t m = 16 * K; m <= 64 * K; m += 24 * K) {
        const struct facts f = {FACTS(COLL_BCAST, OP_NONE, REASON_NONE, 2, 0, m, m, &node)};
        ck_assert_str_eq(choose(&s, NULL, &f).engine->name, m < 64 * K ? "node-copy" : "native");
    }
}

/* An engine has to be better than native by a margin if its calls do not overlap, or if they overlap by little. */
START_TEST(margin)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    static const int64_t bytes[] = {[COLL_BCAST] = 16 * M, [COLL_ALLREDUCE] = 64 * K};
    for (int c = COLL_BCAST; c <= COLL_ALLREDUCE; c += COLL_ALLREDUCE - COLL_BCAST) {
        struct machine node = two_on_a_node();
        const enum op_class op = c == COLL_BCAST ? OP_NONE : OP_EXACT;
        const struct facts f = {FACTS((enum collective)c, op, REASON_NONE, 2, 0, bytes[c], bytes[c] / 8, &node)};
        struct plan plan = {.engine = engines[0]};
        for (double factor = 0.1; plan.engine == engines[0] && factor < 10; factor *= 1.01) {
            for (int i = 0; i < NATIVE_SIZES; i++)
                node.native[c][i] = factor;
            plan = choose(&s, NULL, &f);
        }
        const struct expected expected = choose_expected(&s, NULL, &f, &plan);
        const double ratio = expected.native / expected.engine;
        ck_assert_msg(ratio > 1.08 && ratio < 1.12, "%s: %.2f", collective_name((enum collective)c), ratio);
    }
}

/* A lesson is for calls of up to twice the size. If the measured call has one block, all of them have. */
START_TEST(blocks_of_lessons)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct facts few = {SCAN(OP_EXACT, 8, K)}, more = {SCAN(OP_EXACT, 8, 2 * K - 8)};
    const struct plan one = choose_row(&s, NULL, &few, engine_row(engine_find("doubling")));
    struct rule lesson = rule_blank;
    ck_assert_int_eq(one.blocks, 1);
    lesson.block = choose_block_up_to(&s, &few, &one, 2 * K);
    ck_assert_int_eq(choose_row(&s, &lesson, &more, engine_row(one.engine)).blocks, 1);
    lesson.block = choose_block(&s, &few, &one);
    ck_assert_int_eq(choose_row(&s, &lesson, &more, engine_row(one.engine)).blocks, 2);
    const struct facts large = {SCAN(OP_EXACT, 8, M)};
    const struct plan chain = choose_row(&s, NULL, &large, engine_row(engine_find("chain")));
    ck_assert_int_gt(chain.blocks, 1);
    ck_assert_int_eq(choose_block_up_to(&s, &large, &chain, 2 * M), choose_block(&s, &large, &chain));
}

/* A message of more than 8 KiB takes longer by g.jump. So blocks stay at 8 KiB until their gaps cost more than jumps. */
START_TEST(messages_that_jump)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct figures g = {.alpha = 1e-6, .beta = 0.08e-9, .gamma = 0.08e-9, .hop = 0.5e-6, .gap = 0.1e-6};
    struct machine node = {.nodes = 1, .node_ranks = 2, .gathered = true, .consecutive = true, .measured = true};
    struct facts f = {FACTS(COLL_SCAN, OP_EXACT, REASON_NONE, 2, 0, 64 * K, 8 * K, &node)};
    for (int jump = 0; jump <= 1; jump++) {
        g.jump = jump * 1.5e-6;
        node.figures[LINK_NODE] = node.figures[LINK_NETWORK] = g;
        ck_assert_int_eq(choose(&s, NULL, &f).blocks, jump ? 8 : 1);
    }
    f.bytes = 2 * M;
    f.units = 256 * K;
    ck_assert_int_eq(choose(&s, NULL, &f).blocks, 8); /* blocks of 256 KiB: 8 jumps cost less than 255 gaps */
}

/*
 * Where there are more ranks than cores, calls of any size go through a segment, and short ones by an engine that waits
 * seldom. If ranks run ahead in native calls, these calls stay native.
 */
START_TEST(cores_are_few)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct machine machine = full;
    machine.near = true;
    machine.cell = SEGMENT_LARGE * segment_cell_bytes(8, 1);
    const struct {
        struct facts facts;
        bool ahead; /* ranks run ahead in Open MPI's native call */
    } calls[] = {{{BCAST(8, 0, 8)}, true},
                 {{REDUCE(OP_EXACT, 8, 0, 8)}, true},
                 {{SCAN(OP_ORDERED, 8, 8)}, true},
                 {{EXSCAN(OP_EXACT, 8, 256)}, true},
                 {{EXSCAN(OP_EXACT, 8, 264)}, false},
                 {{ALLREDUCE(OP_ROUNDS, 8, 8)}, false},
                 {{REDUCE(OP_ROUNDS, 8, 0, 4 * K)}, false},
                 {{REDUCE(OP_EXACT, 8, 0, 4 * K)}, false},
                 {{REDUCE(OP_ROUNDS, 8, 0, 32 * K)}, false},
                 {{REDUCE(OP_EXACT, 8, 0, 256 * K)}, false},
                 {{BCAST(8, 0, 4 * K)}, false},
                 {{BCAST(8, 0, M)}, false}};
    for (size_t i = 0; i < 2 * COUNT(calls); i++) {
        struct facts f = calls[i / 2].facts;
        machine.natives = i % 2 ? NATIVES_OPEN_MPI : NATIVES_MPICH;
        f.machine = &machine;
        const struct engine *e = choose(&s, NULL, &f).engine;
        const bool native = machine.natives == NATIVES_OPEN_MPI && calls[i / 2].ahead;
        ck_assert_msg(native == (e == engines[0]), "call %zu: %s", i, e->name);
        ck_assert_msg(native || e->serves[f.collective].segment.cells != CELLS_NONE, "call %zu: %s", i, e->name);
        ck_assert_msg(f.collective != COLL_REDUCE || strcmp(e->name, "node-ring") != 0, "call %zu", i);
    }
}

/* The more ranks share a core, the longer are waits, copies and folds. Ranks that share cores also have larger cells. */
START_TEST(ranks_share_cores)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    static const struct {
        enum collective collective;
        int64_t bytes;
        const char *quiet, *crowded;
    } calls[] = {{COLL_ALLREDUCE, 4 * K, "node-tree", "node-flat"},   {COLL_ALLREDUCE, 32 * K, "node-ring", "node-prefixes"},
                 {COLL_ALLREDUCE, 256 * K, "node-ring", "node-ring"}, {COLL_ALLREDUCE, M, "node-ring", "node-ring"},
                 {COLL_SCAN, 512, "node-flat", "node-line"},          {COLL_REDUCE, 32 * K, "node-ring", "node-line"}};
    for (size_t i = 0; i < 2 * COUNT(calls); i++) {
        struct machine machine = full;
        machine.near = true;
        machine.oversubscribed = i % 2 ? 4 : 0;
        machine.cell = (machine.oversubscribed ? SEGMENT_LARGE : 1) * segment_cell_bytes(8, 1);
        const int64_t m = calls[i / 2].bytes;
        const struct facts f = {FACTS(calls[i / 2].collective, OP_ROUNDS, REASON_NONE, 8, 0, m, m / 8, &machine)};
        const struct plan plan = choose(&s, NULL, &f);
        const char *const engine = i % 2 ? calls[i / 2].crowded : calls[i / 2].quiet;
        ck_assert_msg(strcmp(plan.engine->name, engine) == 0, "call %zu: %s", i, plan.engine->name);
        ck_assert_msg(m < M || plan.blocks == (i % 2 ? 8 : 32), "call %zu", i);
    }
}

/* Sixteen ranks of a node, each with its core: the engines that were the fastest, or nearly so, on such a machine. */
START_TEST(ranks_have_cores)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct machine machine = {.nodes = 1,
                              .node_ranks = 16,
                              .gathered = true,
                              .consecutive = true,
                              .near = true,
                              .cell = segment_cell_bytes(16, 1)};
    static const struct {
        enum collective collective;
        enum op_class op;
        int64_t bytes;
        const char *engine;
    } calls[] = {{COLL_REDUCE, OP_ROUNDS, 256, "node-tree"},       {COLL_REDUCE, OP_ROUNDS, 8 * K, "node-tree"},
                 {COLL_REDUCE, OP_ROUNDS, 16 * K, "node-ring"},    {COLL_REDUCE, OP_ORDERED, 16 * K, "node-prefixes"},
                 {COLL_REDUCE, OP_ORDERED, 256 * K, "node-line"},  {COLL_ALLREDUCE, OP_ROUNDS, 256, "node-tree"},
                 {COLL_ALLREDUCE, OP_ROUNDS, 4 * K, "node-tree"},  {COLL_ALLREDUCE, OP_ROUNDS, 16 * K, "node-ring"},
                 {COLL_ALLREDUCE, OP_ROUNDS, 16 * M, "node-ring"}, {COLL_ALLREDUCE, OP_ORDERED, 64 * K, "node-prefixes"},
                 {COLL_ALLREDUCE, OP_ORDERED, M, "node-line"},     {COLL_SCAN, OP_ROUNDS, 256, "node-tree"},
                 {COLL_SCAN, OP_ROUNDS, 32 * K, "node-tree"},      {COLL_SCAN, OP_ORDERED, 32 * K, "node-prefixes"},
                 {COLL_EXSCAN, OP_ROUNDS, 512 * K, "node-line"},   {COLL_SCAN, OP_ORDERED, M, "node-line"},
                 {COLL_REDUCE, OP_ORDERED, 256, "node-tree"},      {COLL_REDUCE, OP_ORDERED, 4 * K, "node-tree"}};
    for (size_t i = 0; i < COUNT(calls); i++) {
        struct facts f = {
            FACTS(calls[i].collective, calls[i].op, REASON_NONE, 16, 0, calls[i].bytes, calls[i].bytes / 8, &machine)};
        ck_assert_msg(strcmp(choose(&s, NULL, &f).engine->name, calls[i].engine) == 0, "call %zu", i);
    }
}

/* Ranks with cores of their own cut a message that fills few cells into smaller blocks, unless a setting says otherwise. */
START_TEST(few_cells)
{
    static const struct {
        const char *block;
        enum collective collective;
        int ranks, crowd;
        int64_t bytes, blocks;
    } calls[] = {
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 32 * K + 8, 1},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 64 * K - 8, 1},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 64 * K, 2},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 64 * K + 8, 2},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 96 * K - 8, 2},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 100 * K, 3},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 256 * K - 8, 7},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, 256 * K, 4},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 0, M + 8, 17},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 2, 2, 64 * K + 8, 1},
        {"PLEACH_BLOCK=auto", COLL_SCAN, 3, 0, 64 * K + 8, 3},
        {"PLEACH_BLOCK=auto", COLL_ALLREDUCE, 2, 0, 128 * K, 2},
        {"PLEACH_BLOCK=inf", COLL_SCAN, 2, 0, 64 * K, 1},
        {"PLEACH_BLOCK=64K", COLL_SCAN, 2, 0, 64 * K + 8, 2},
        {"PLEACH_BLOCK=16K", COLL_SCAN, 2, 0, 65 * K, 5},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        const struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=node-line,node-ring", calls[i].block});
        struct machine machine = full;
        machine.near = true;
        machine.oversubscribed = calls[i].crowd;
        machine.cell = (machine.oversubscribed ? SEGMENT_LARGE : 1) * segment_cell_bytes(calls[i].ranks, 1);
        const int64_t m = calls[i].bytes;
        struct facts f = {FACTS(calls[i].collective, OP_EXACT, REASON_NONE, calls[i].ranks, 0, m, m / 8, &machine)};
        ck_assert_msg(choose(&s, NULL, &f).blocks == calls[i].blocks, "call %zu", i);
    }
}

/* In an all-reduce of two ranks, both ranks fold, by whatever operation: a line takes a third longer. */
START_TEST(two_ranks_fold)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct machine machine = {
        .nodes = 1, .node_ranks = 2, .gathered = true, .consecutive = true, .near = true, .cell = segment_cell_bytes(2, 1)};
    static const enum op_class ops[] = {OP_EXACT, OP_ROUNDS, OP_ORDERED};
    for (size_t i = 0; i < COUNT(ops); i++)
        for (int64_t m = 64 * K; m <= 16 * M; m *= 2) {
            const struct facts f = {FACTS(COLL_ALLREDUCE, ops[i], REASON_NONE, 2, 0, m, m / 8, &machine)};
            ck_assert_str_eq(choose(&s, NULL, &f).engine->name, "node-ring");
        }
}

SUITE("choose", 60)
