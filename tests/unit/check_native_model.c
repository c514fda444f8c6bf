/* SPDX-License-Identifier: BSD-2-Clause */
/* The model of native calls, of MPICH and of Open MPI: seconds by hand; measured times correct it. */
#include "by_hand.h"
#include "model.h"

#include <math.h>

static const struct machine two = {.nodes = 2, .node_ranks = 1, IN_ORDER};
static const struct machine three_alone = {.nodes = 3, .node_ranks = 1, IN_ORDER};
static const struct machine twelve = {.nodes = 12, .node_ranks = 1, IN_ORDER};
static const struct machine three_threes = {.nodes = 3, .node_ranks = 3, IN_ORDER};
static const struct machine three_sixes = {.nodes = 3, .node_ranks = 6, IN_ORDER};

/* In a native allreduce of 80000 bytes, the leaders of pairs exchange. The steps before and after that take these times. */
#define PAIRS_REDUCE (800000 + 2 * 20 + 40000 * (2 * 0.5 + 10)) /* a copy; reduce-scatter, gather */
#define PAIRS_BCAST (20 + 40000)

/* The time of n folds or copies of 80000 bytes. */
#define FOLDS(n) ((n)*800000.0)

#define CARD (50 / 8.0) /* seconds of a further message through a card */

START_TEST(native_allreduce_by_hand)
{
    static const struct {
        enum op_class op;
        int ranks;
        const struct machine *machine;
        int64_t bytes, units;
        double seconds;
    } by_hand[] = {
        /* Built-in operations: halving, doubling. */
        {OP_EXACT, 8, &eight, 80000, 10000, 6 * 1000 + 2 * 70000 + FOLDS(0.875)},
        {OP_ROUNDS, 8, &eight, 80000, 10000, 6 * 1000 + 2 * 70000 + FOLDS(0.875)},
        {OP_ROUNDS, 8, &eight, 80000, 8, 6 * 1000 + 2 * 70000 + FOLDS(0.875)},
        {OP_ROUNDS, 2, &two, 80000, 10000, 2 * 100 + 80000 + FOLDS(0.5)}, /* no alpha, but a hop */
        {OP_EXACT, 12, &twelve, 80000, 10000, 8 * 1000 + 2 * 70000 + 2 * 80000 + FOLDS(1.875)},
        {OP_EXACT, 12, &twelve, 80000, 8, 8 * 1000 + 2 * 70000 + 2 * 80000 + FOLDS(1.875)},
        /* If there are fewer elements than ranks that exchange (8, 8 of 12, 2), these ranks exchange whole messages. */
        {OP_EXACT, 8, &eight, 80000, 7, 3 * (1000 + 80000) + FOLDS(3)},
        {OP_EXACT, 12, &twelve, 80000, 7, 5 * (1000 + 80000) + FOLDS(4)},
        {OP_EXACT, 2, &two, 80000, 1, 100 + 80000 + FOLDS(1)},
        /* With operations of the user, ranks exchange whole messages, too, and copy them. */
        {OP_ORDERED, 8, &eight, 80000, 10000, 3 * (1000 + 80000) + FOLDS(6)},
        {OP_ORDERED, 12, &twelve, 80000, 10000, 5 * (1000 + 80000) + FOLDS(7)},
        {OP_ORDERED, 2, &two, 80000, 10000, 100 + 80000 + FOLDS(2)},
        /*
         * Between nodes, each byte beyond 256 KiB of an exchange costs 1.5 times as much. Messages before and after the
         * exchanges cost no more, as they go one way.
         */
        {OP_EXACT, 4, &four_alone, M, K, 4 * 1000 + 2 * (512 + 256 / 2 + 256) * K + 7680 * K},
        {OP_EXACT, 4, &four_alone, 2 * M, K, 4 * 1000 + 2 * (1024 + 768 / 2 + 512 + 256 / 2) * K + 2 * 7680 * K},
        {OP_EXACT, 3, &three_alone, M, K, 4 * 1000 + 2 * (1024 + 512 + 256 / 2) * K + 15360 * K},
        {OP_ORDERED, 3, &three_alone, M, K, 3 * 1000 + (3 * 1024 + 768 / 2) * K + 3 * 10240 * K},
        {OP_EXACT, 8, &one_node, M, K, 6 * 1000 + 2 * 896 * K + 8960 * K},
        /* If several nodes have several ranks each, one rank of each node exchanges, also if ranks are dealt in turn. */
        {OP_EXACT, 8, &four_pairs, 80000, 10000, PAIRS_REDUCE + 4 * 1000 + 2 * 60000 + FOLDS(0.75) + PAIRS_BCAST},
        {OP_ROUNDS, 8, &dealt, 80000, 10000, PAIRS_REDUCE + 4 * 1000 + 2 * 60000 + FOLDS(0.75) + PAIRS_BCAST},
        {OP_EXACT, 8, &four_pairs, 80000, 4, PAIRS_REDUCE + 4 * 1000 + 2 * 60000 + FOLDS(0.75) + PAIRS_BCAST},
        {OP_EXACT, 8, &four_pairs, 80000, 3, PAIRS_REDUCE + 2 * (1000 + 80000) + FOLDS(2) + PAIRS_BCAST},
        {OP_EXACT, 4, &two_pairs, 80000, 10000, PAIRS_REDUCE + 2 * 100 + 80000 + FOLDS(0.5) + PAIRS_BCAST},
        /* With the user's operations all ranks exchange. Those that do so with other nodes share their node's card. */
        {OP_ORDERED, 8, &four_pairs, 80000, 10000, 200 + 40000 + 2 * (1000 + CARD + 2 * 80000) + FOLDS(6)},
        {OP_ORDERED, 8, &four_pairs, M, K, 200 + 512 * K + 2 * (1000 + CARD + 2 * (1024 + 768 / 2) * K) + 6 * 10240 * K},
        {OP_ORDERED, 8, &two_fours, 80000, 10000, 2 * (200 + 40000) + 1000 + 3 * CARD + 4 * 80000 + FOLDS(6)},
        {OP_ORDERED, 8, &dealt, 80000, 10000, 3 * (1000 + CARD + 2 * 80000) + FOLDS(6)},
        {OP_ORDERED, 9, &three_threes, 80000, 10000, 5 * 1000 + 3 * CARD + (2 + 1 + 2 + 3) * 80000 + FOLDS(7)},
        {OP_ORDERED, 18, &three_sixes, 80000, 10000,
         3 * (200 + 40000) + 3 * 1000 + 9 * CARD + (2 + 4 + 6) * 80000 +
             FOLDS(9)}, /* nodes of 6 ranks contain pairs, but no fours */
        {OP_ORDERED, 8, &one_node, 80000, 10000, 3 * (1000 + 80000) + FOLDS(6)},
    };
    for (size_t i = 0; i < COUNT(by_hand); i++) {
        const struct facts f = {FACTS(COLL_ALLREDUCE, by_hand[i].op, REASON_NONE, by_hand[i].ranks, 0, by_hand[i].bytes,
                                      by_hand[i].units, by_hand[i].machine)};
        const double seconds = native_seconds(&f, &plain, &inside);
        ck_assert_msg(fabs(seconds - by_hand[i].seconds) < 1e-6, "row %zu: %.1f s, not %.1f", i, seconds,
                      by_hand[i].seconds);
    }
}

/*
 * Calls of Open MPI, by hand. LARGE_EXCHANGES: the bytes that an allgather of 1 MiB among 16 ranks costs. It exchanges 512,
 * 256, 128 and 64 KiB; bytes beyond 64 KiB of an exchange count twice. IN_ORDER_8: the time of an ordered reduction of 1 MiB
 * over trees of 8, 3 and 1 ranks, and of the message to the root.
 */
#define LARGE_EXCHANGES ((960 + 448 + 192 + 64) * K)
#define IN_ORDER_8 (3 * 1000 + M + 4 * 11 * M)

/* Short calls of MPICH go node by node: along one tree on nodes and one between them; scans have two phases on nodes. */
START_TEST(short_calls_by_node)
{
    static const struct {
        enum collective collective;
        enum op_class op;
        bool dealt;
        int64_t bytes;
        double seconds;
    } by_hand[] = {
        {COLL_BCAST, OP_NONE, false, 8, 2 * 1008 + 2 * 204},
        {COLL_BCAST, OP_NONE, true, 8, 2 * 1008 + 2 * 204},
        {COLL_BCAST, OP_NONE, false, 80000, (4 + 15) * 1000 + 2 * 75000},
        {COLL_REDUCE, OP_ROUNDS, false, 8, 2 * (1008 + 80) + 2 * (204 + 80)},
        {COLL_REDUCE, OP_ORDERED, false, 8, 80 + 4 * (1008 + 80)},
        {COLL_SCAN, OP_ORDERED, false, 8, 2 * (1008 + 160) + 2 * 2 * (204 + 160)},
        {COLL_SCAN, OP_ORDERED, true, 8, 4 * (1008 + 160)},
        {COLL_EXSCAN, OP_EXACT, false, 8, 4 * (1008 + 160)},
    };
    for (size_t i = 0; i < COUNT(by_hand); i++) {
        const struct machine m = {
            .nodes = 4, .node_ranks = 4, .gathered = !by_hand[i].dealt, .consecutive = !by_hand[i].dealt};
        const int64_t bytes = by_hand[i].bytes;
        const struct facts f = {FACTS(by_hand[i].collective, by_hand[i].op, REASON_NONE, 16, 0, bytes, bytes / 8, &m)};
        const double seconds = native_seconds(&f, &plain, &inside);
        ck_assert_msg(fabs(seconds - by_hand[i].seconds) < 1e-6 * seconds, "row %zu: %.1f s, not %.1f", i, seconds,
                      by_hand[i].seconds);
    }
}

START_TEST(native_openmpi_by_hand)
{
    static const struct {
        enum collective collective;
        enum op_class op;
        int nodes, node_ranks;
        bool dealt; /* the ranks of a node do not follow each other */
        int64_t bytes;
        double seconds;
    } by_hand[] = {
        /*
         * Broadcasts: the root sends to each rank; or along a binomial tree, where a rank's messages share its port from
         * 64 KiB on; or by a scatter and an allgather.
         */
        {COLL_BCAST, OP_NONE, 2, 1, false, 80000, 100 + 80000}, /* no alpha, but a hop */
        {COLL_BCAST, OP_NONE, 15, 1, false, M, 1000 + 14 * M},
        {COLL_BCAST, OP_NONE, 16, 1, false, 60000, 4 * (1000 + 60000)},
        {COLL_BCAST, OP_NONE, 16, 1, false, 80000, 4 * 1000 + (4 + 3 + 2 + 1) * 80000},
        {COLL_BCAST, OP_NONE, 16, 1, false, M, 8 * 1000 + (960 + 448 + 192 + 64) * K + LARGE_EXCHANGES},
        {COLL_BCAST, OP_NONE, 1, 16, false, M, 8 * 1000 + (960 + 448 + 192 + 64) * K + 960 * K},
        {COLL_BCAST, OP_NONE, 1024, 1, false, M, 20 * 1000 + (2 * 1023 - 10) * K + 63 * K + LARGE_EXCHANGES},
        /* Broadcasts along a tree of radix 4, which grows to 4, 16 and 32 ranks; or to 4, 16, 64, 256 and 1024. */
        {COLL_BCAST, OP_NONE, 32, 1, false, M, 3 * 1000 + (7 + 6 + 3) * M},
        {COLL_BCAST, OP_NONE, 1024, 1, false, 60000, 5 * 1000 + 15 * 60000},
        {COLL_BCAST, OP_NONE, 1024, 1, false, 80000, 5 * 1000 + (15 + 12 + 9 + 6 + 3) * 80000},
        /* Reductions: all ranks send to the root, or along a tree. */
        {COLL_REDUCE, OP_EXACT, 2, 1, false, 80000, 100 + 80000 + FOLDS(1)},
        {COLL_REDUCE, OP_ROUNDS, 7, 1, false, 80000, 1000 + 6 * 80000 + FOLDS(6)},
        {COLL_REDUCE, OP_ROUNDS, 8, 1, false, 80000, 3 * (1000 + 80000) + FOLDS(3)},
        {COLL_REDUCE, OP_ORDERED, 8, 1, false, 80000, 1000 + 7 * 80000 + FOLDS(7)},
        {COLL_REDUCE, OP_ORDERED, 8, 1, false, M, IN_ORDER_8},
        {COLL_REDUCE, OP_ORDERED, 17, 1, false, 80000, 4 * 1000 + (6 + 1) * 80000 + FOLDS(6)}, /* 17, 8, 3, 1 */
        /* All-reduces: halving and doubling; large exchanges; ranks of a node take part, too, and share its card. */
        {COLL_ALLREDUCE, OP_ROUNDS, 8, 1, false, 80000, 6 * 1000 + 2 * 70000 + FOLDS(0.875)},
        {COLL_ALLREDUCE, OP_EXACT, 4, 1, false, M, 4 * 1000 + 2 * (768 + 448 + 192) * K + 7680 * K},
        {COLL_ALLREDUCE, OP_EXACT, 4, 2, false, 80000,
         2 * (200 + 20000) + 2 * (1000 + CARD + 2 * 20000) + 2 * (1000 + CARD + 2 * 10000) + FOLDS(0.875)},
        /* All-reduces in order: doubling without copies, or a reduction and a broadcast. */
        {COLL_ALLREDUCE, OP_ORDERED, 8, 1, false, 60000, 3 * (1000 + 60000) + 3 * 600000},
        {COLL_ALLREDUCE, OP_ORDERED, 8, 1, false, 80000, 3 * (1000 + 80000 + 14464) + FOLDS(3)},
        {COLL_ALLREDUCE, OP_ORDERED, 8, 1, false, M, IN_ORDER_8 + 1000 + 7 * M},
        {COLL_ALLREDUCE, OP_ORDERED, 2, 1, false, 80000, 2 * (100 + 80000) + FOLDS(1)},
        {COLL_ALLREDUCE, OP_ORDERED, 128, 1, false, 60000, 7 * 1000 + (12 + 1 + 120) * 60000 + 4 * 1000 + 10 * 60000},
        /* Scans: a line of ranks. */
        {COLL_SCAN, OP_EXACT, 5, 1, false, 80000, 4 * (1000 + 80000) + FOLDS(4)},
        {COLL_EXSCAN, OP_ORDERED, 4, 2, false, 80000, 3 * (1000 + 80000) + 4 * (200 + 40000) + FOLDS(7)},
        {COLL_SCAN, OP_EXACT, 4, 2, true, 80000, 7 * (1000 + 80000) + FOLDS(7)},
        {COLL_SCAN, OP_EXACT, 1, 8, false, 80000, 7 * (1000 + 80000) + FOLDS(7)},
    };
    for (size_t i = 0; i < COUNT(by_hand); i++) {
        const struct machine m = {.natives = NATIVES_OPEN_MPI,
                                  .nodes = by_hand[i].nodes,
                                  .node_ranks = by_hand[i].node_ranks,
                                  .gathered = !by_hand[i].dealt,
                                  .consecutive = !by_hand[i].dealt};
        const int64_t bytes = by_hand[i].bytes;
        const struct facts f = {
            FACTS(by_hand[i].collective, by_hand[i].op, REASON_NONE, m.nodes * m.node_ranks, 0, bytes, bytes / 8, &m)};
        const double seconds = native_seconds(&f, &plain, &inside);
        ck_assert_msg(fabs(seconds - by_hand[i].seconds) < 1e-6 * seconds, "row %zu: %.1f s, not %.1f", i, seconds,
                      by_hand[i].seconds);
    }
}

/* The formula gives the time of the native call. On one node, measured times correct it, up or down. */
START_TEST(native_factor)
{
    static const struct {
        double measured[NATIVE_SIZES]; /* over the formula's time, by native_bytes(); 0: not known */
        bool known;                    /* was anything measured? */
        int nodes;
        enum collective collective;
        enum op_class op;
        int64_t bytes;
        double counts; /* the model's time over the formula's */
    } factors[] = {
        {{2, 0, 0, 2, 2}, false, 1, COLL_BCAST, OP_NONE, M, 1},
        {{2, 0, 0, 2, 2}, true, 2, COLL_SCAN, OP_EXACT, M, 1},
        {{2, 0, 0, 2, 2}, true, 1, COLL_BCAST, OP_NONE, M, 2},
        {{0.25, 0, 0, 0.25, 0.25}, true, 1, COLL_BCAST, OP_NONE, M, 0.25},
        {{5, 0, 0, 5, 5}, true, 1, COLL_REDUCE, OP_ORDERED, M, 1}, /* measuring never calls a user's operation */
        {{5, 0, 0, 5, 5}, true, 1, COLL_SCAN, OP_ORDERED, M, 5},
        {{5, 0, 0, 5, 5}, true, 1, COLL_ALLREDUCE, OP_ROUNDS, M, 5},
        {{5, 0, 0, 5, 5}, true, 1, COLL_ALLREDUCE, OP_ORDERED, M, 1},
        {{1, 0, 0, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, 16 * K, 1},
        {{1, 0, 0, 8, 9}, true, 1, COLL_SCAN, OP_EXACT, 32 * K, 2},
        {{1, 0, 0, 8, 9}, true, 1, COLL_SCAN, OP_EXACT, 64 * K, 4},
        {{1, 0, 0, 27, 1}, true, 1, COLL_SCAN, OP_EXACT, 512 * K, 3},
        {{1, 0, 0, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, M, 9},
        {{0, 0, 0, 4, 9}, true, 1, COLL_SCAN, OP_EXACT, 16 * K, 4},
        {{1, 0, 0, 0, 64}, true, 1, COLL_SCAN, OP_EXACT, 128 * K, 8},
        {{1, 0, 0, 4}, true, 1, COLL_SCAN, OP_EXACT, M, 4},
        {{0}, true, 1, COLL_SCAN, OP_EXACT, M, 1},
        {{1, 0, 0, 4, 9, 25}, true, 1, COLL_SCAN, OP_EXACT, 2 * M, 25},
        {{1, 0, 0, 4, 9, 25}, true, 1, COLL_SCAN, OP_EXACT, 64 * M, 25},
        {{1, 0, 0, 1, 0, 81}, true, 1, COLL_SCAN, OP_EXACT, M, 27},
    };
    const struct settings s = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no"});
    for (size_t i = 0; i < COUNT(factors); i++) {
        struct machine m = {.nodes = factors[i].nodes, .node_ranks = 8 / factors[i].nodes, .gathered = true};
        const int64_t bytes = factors[i].bytes;
        struct facts f = {FACTS(factors[i].collective, factors[i].op, REASON_NONE, 8, 0, bytes, bytes / 8, &m)};
        m.measured = factors[i].known;
        m.figures[LINK_NODE] = m.figures[LINK_NETWORK] = plain;
        memcpy(m.native[f.collective], factors[i].measured, sizeof factors[i].measured);
        struct offer native = {.engine = engines[0]};
        const struct figures figures = choose_figures(&s, NULL, &m, false);
        choose_predict(&s, NULL, &f, &native);
        double factor = native.seconds / native_seconds(&f, &figures, &figures);
        ck_assert_msg(fabs(factor - factors[i].counts) < 1e-12, "row %zu: %g", i, factor);
    }
}

SUITE("native_model", 60)
