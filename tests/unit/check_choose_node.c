/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice by the model on one node: messages that were measured there, and memory that the ranks share. */
#include "cell.h"
#include "grid.h"
#include "policy.h"

/* Two ranks broadcast by one message. No engine is better, even if its stream of messages is predicted to be almost free. */
START_TEST(one_message)
{
    struct settings s = read_settings((const char *[ENV]){NULL});
    const struct figures g = {.alpha = 4e-6, .beta = 0.06e-9, .gamma = 0.04e-9, .hop = 1e-6, .gap = 0.1e-6};
    struct machine node = {.nodes = 1, .node_ranks = 2, IN_ORDER, .measured = true};
    node.figures[LINK_NODE] = node.figures[LINK_NETWORK] = g;
    for (int i = 0; i < NATIVE_SIZES; i++)
        node.native[COLL_BCAST][i] = node.native[COLL_SCAN][i] = 1;
    for (int64_t m = 64 * K; m <= 16 * M; m *= 2) {
        struct facts f = {ON(node, BCAST, NONE, 2, 0, m, m)};
        const char *name = choose(&s, NULL, &f).engine->name;
        ck_assert_msg(strcmp(name, "native") == 0, "%s for %" PRId64 " bytes", name, m);
    }
    struct facts scan = {ON(node, SCAN, EXACT, 2, 0, 64 * K, 8 * K)};
    ck_assert_ptr_ne(choose(&s, NULL, &scan).engine, engines[0]);
}

/* A node, whose figures and those of its segment were measured. */
static struct machine measured_node(int ranks)
{
    const struct figures g = {.alpha = 2.28e-6, .beta = 0.042e-9, .gamma = 0.09e-9, .hop = 2.28e-6, .gap = 0.28e-6};
    return (struct machine){.nodes = 1,
                            .node_ranks = ranks,
                            IN_ORDER,
                            .measured = true,
                            .one_node = true,
                            .shared_tried = true,
                            .cell = segment_cell_bytes(ranks, 1),
                            .segment = {0.2e-6, 0.056e-9, 0.061e-9, 0.061e-9, 0.059e-9},
                            .figures = {[LINK_NODE] = g, [LINK_NETWORK] = g}};
}

/*
 * Native calls are measured in a row, where calls through a segment overlap. Of 16 KiB, a broadcast alone takes 2.4 us by
 * node-copy and 2.3 us by native; in a row, node-copy takes 1.2 us. Of 40 KiB, it takes 4.1 us alone and 2.7 us in a row,
 * and native 3.1 us. Of 64 KiB, it takes 4.3 us in a row, and native 3.7 us.
 */
START_TEST(calls_in_a_row)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct machine node = measured_node(2);
    for (int i = 0; i < NATIVE_SIZES; i++)
        node.native[COLL_BCAST][i] = (double[]){0.78, 0.8, 0.79, 0.79, 2.1, 2.9}[i];
    for (int64_t m = 16 * K; m <= 64 * K; m += 24 * K) {
        const struct facts f = {ON(node, BCAST, NONE, 2, 0, m, m)};
        ck_assert_str_eq(choose(&s, NULL, &f).engine->name, m < 64 * K ? "node-copy" : "native");
    }
}

/*
 * An engine serves that does well both for a call alone and for calls in a row. Of 8 KiB, a reduction of two ranks takes
 * 1.5 us alone and in a row by node-ring; by node-line it takes 1.6 us alone and 0.8 us in a row. On 16 ranks, short
 * calls alone take too long by node-line.
 */
START_TEST(alone_or_in_a_row)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    static const struct {
        int ranks;
        int64_t bytes;
        const char *engine;
    } calls[] = {{2, 8 * K, "node-line"}, {16, 4 * K, "node-tree"}, {16, 64 * K, "node-ring"}, {16, 256 * K, "node-line"}};
    for (size_t i = 0; i < COUNT(calls); i++) {
        struct machine node = measured_node(calls[i].ranks);
        for (int k = 0; k < NATIVE_SIZES; k++)
            node.native[COLL_REDUCE][k] = 10;
        const int64_t m = calls[i].bytes;
        const struct facts f = {ON(node, REDUCE, EXACT, calls[i].ranks, 0, m, m / 8)};
        ck_assert_str_eq(choose(&s, NULL, &f).engine->name, calls[i].engine);
    }
}

/* Lines overlap with the next call, even lines of two ranks; all-reduces and messages do not. */
START_TEST(overlap)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (int ranks = 2; ranks <= 16; ranks *= 2) {
            struct machine node = measured_node(ranks);
            struct offer list[OFFERS_MOST];
            for (int k = 0; k < NATIVE_SIZES; k++)
                node.native[c][k] = 1;
            const enum op_class op = c == COLL_BCAST ? OP_NONE : OP_EXACT;
            const struct facts f = {FACTS(c, op, REASON_NONE, ranks, 0, 64 * K, 8 * K, &node)};
            choose_list(&s, NULL, &f, list);
            for (const struct offer *o = list; o->engine; o++) {
                const bool line = strcmp(o->engine->name, "node-line") == 0 || strcmp(o->engine->name, "node-copy") == 0;
                if (!o->barred && line && c != COLL_ALLREDUCE)
                    ck_assert(o->overlap > 0 && o->overlap < o->cost);
                else if (!o->barred && (c == COLL_ALLREDUCE || !o->engine->serves[c].segment.cells))
                    ck_assert(o->overlap == 0);
            }
        }
}

/* An engine has to be better than native by a margin if its calls do not overlap, or if they overlap by little. */
START_TEST(margin)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    static const int64_t bytes[] = {[COLL_BCAST] = 16 * M, [COLL_ALLREDUCE] = 64 * K};
    for (enum collective c = COLL_BCAST; c <= COLL_ALLREDUCE; c += COLL_ALLREDUCE - COLL_BCAST) {
        struct machine node = measured_node(2);
        const enum op_class op = c == COLL_BCAST ? OP_NONE : OP_EXACT;
        const struct facts f = {FACTS(c, op, REASON_NONE, 2, 0, bytes[c], bytes[c] / 8, &node)};
        struct plan plan = {.engine = engines[0]};
        for (double factor = 0.1; plan.engine == engines[0] && factor < 10; factor *= 1.01) {
            for (int i = 0; i < NATIVE_SIZES; i++)
                node.native[c][i] = factor;
            plan = choose(&s, NULL, &f);
        }
        const struct expected expected = choose_expected(&s, NULL, &f, &plan);
        const double ratio = expected.native / expected.engine;
        ck_assert_msg(ratio > 1.08 && ratio < 1.12, "%s: %.2f", collective_name(c), ratio);
    }
}

/* A message of more than 8 KiB takes longer by g.jump. So blocks stay at 8 KiB until their gaps cost more than jumps. */
START_TEST(messages_that_jump)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct figures g = {.alpha = 1e-6, .beta = 0.08e-9, .gamma = 0.08e-9, .hop = 0.5e-6, .gap = 0.1e-6};
    struct machine node = {.nodes = 1, .node_ranks = 2, IN_ORDER, .measured = true};
    struct facts f = {ON(node, SCAN, EXACT, 2, 0, 64 * K, 8 * K)};
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
    machine.one_node = true;
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
        machine.one_node = true;
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
    struct machine machine = {.nodes = 1, .node_ranks = 16, IN_ORDER, .one_node = true, .cell = segment_cell_bytes(16, 1)};
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
        enum op_class op;
        int ranks, crowd;
        int64_t bytes, blocks;
    } calls[] = {
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 16 * K, 1},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 16 * K + 8, 2},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 32 * K, 2},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 32 * K + 8, 3},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 64 * K - 8, 4},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 64 * K, 4},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 100 * K, 7},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 256 * K - 8, 16},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, 256 * K, 4},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 0, M + 8, 17},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_ORDERED, 2, 0, 256 * K - 8, 16},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_ORDERED, 2, 0, M + 8, 65},
        {"PLEACH_BLOCK=auto", COLL_EXSCAN, OP_ORDERED, 2, 0, M, 16},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 2, 2, 64 * K + 8, 1},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_EXACT, 3, 0, 64 * K + 8, 3},
        {"PLEACH_BLOCK=auto", COLL_SCAN, OP_ORDERED, 3, 0, M, 32},
        {"PLEACH_BLOCK=auto", COLL_ALLREDUCE, OP_EXACT, 2, 0, 128 * K, 2},
        {"PLEACH_BLOCK=inf", COLL_SCAN, OP_EXACT, 2, 0, 64 * K, 1},
        {"PLEACH_BLOCK=64K", COLL_SCAN, OP_EXACT, 2, 0, 64 * K + 8, 2},
        {"PLEACH_BLOCK=16K", COLL_SCAN, OP_EXACT, 2, 0, 65 * K, 5},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        const struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=node-line,node-ring", calls[i].block});
        struct machine machine = full;
        machine.one_node = true;
        machine.oversubscribed = calls[i].crowd;
        machine.cell = (machine.oversubscribed ? SEGMENT_LARGE : 1) * segment_cell_bytes(calls[i].ranks, 1);
        const int64_t m = calls[i].bytes;
        struct facts f = {FACTS(calls[i].collective, calls[i].op, REASON_NONE, calls[i].ranks, 0, m, m / 8, &machine)};
        ck_assert_int_eq(choose(&s, NULL, &f).blocks, calls[i].blocks);
    }
}

/* In an all-reduce of two ranks, both ranks fold, by whatever operation: a line takes a third longer. */
START_TEST(two_ranks_fold)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct machine machine = {
        .nodes = 1, .node_ranks = 2, IN_ORDER, .one_node = true, .cell = segment_cell_bytes(2, 1)};
    static const enum op_class ops[] = {OP_EXACT, OP_ROUNDS, OP_ORDERED};
    for (size_t i = 0; i < COUNT(ops); i++)
        for (int64_t m = 64 * K; m <= 16 * M; m *= 2) {
            const struct facts f = {FACTS(COLL_ALLREDUCE, ops[i], REASON_NONE, 2, 0, m, m / 8, &machine)};
            ck_assert_str_eq(choose(&s, NULL, &f).engine->name, "node-ring");
        }
}

/* An exscan of two ranks is one message. Trials compare messages with the segment there, and nowhere else. */
START_TEST(one_copy_or_two)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    for (enum collective c = COLL_REDUCE; c < COLLECTIVES; c++)
        for (int ranks = 2; ranks <= 3; ranks++) {
            const struct machine node = measured_node(ranks);
            int row[CANDIDATES], messages = 0;
            double seconds[CANDIDATES];
            const struct facts f = {FACTS(c, OP_EXACT, REASON_NONE, ranks, 0, 256 * K, 32 * K, &node)};
            const struct policy p = policy_of(&s, NULL, &f);
            for (int i = choose_candidates(&s, &p, &f, NULL, row, seconds) - 1; i >= 0; i--)
                messages += !engine_by_mpi(engines[row[i]]) && !engines[row[i]]->serves[c].segment.cells;
            ck_assert_int_eq(messages, c == COLL_EXSCAN && ranks == 2);
        }
}

SUITE("choose_node", 60)
