/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model: seconds of single calls, by hand; and the least regret. */
#include "by_hand.h"
#include "model.h"

#include <math.h>

START_TEST(seconds_by_hand)
{
    static const struct {
        const char *engine;
        struct facts facts; /* for engines, 40 bytes in blocks of 10, or 5 elements of 8 bytes in blocks of one element */
        double seconds;
    } by_hand[] = {
        /*
         * A stream: the rounds until the pipeline is full cost a hop each, and so does the next round. Each later round
         * costs a gap. Every round costs the time of its bytes.
         */
        {"chain", {ON(eight, BCAST, NONE, 5, 0, 40, 40)}, 4 * 100 + 3 * 50 + 7 * 10},
        {"chain", {ON(eight, BCAST, NONE, 2, 0, 40, 40)}, 1 * 100 + 3 * 50 + 4 * 10},
        {"chain", {ON(eight, SCAN, EXACT, 5, 0, 40, 5)}, 4 * 100 + 4 * 50 + 8 * (8 + 80)},
        {"two-tree", {ON(eight, BCAST, NONE, 8, 0, 40, 40)}, 6 * 100 + 3 * 50 + 9 * 10},
        /* No stream: each round costs alpha. */
        {"circulant", {ON(eight, BCAST, NONE, 8, 0, 40, 40)}, 6 * 1000 + 6 * 10},
        {"doubling", {ON(eight, SCAN, EXACT, 8, 0, 40, 5)}, 15 * 1000 + 15 * (8 + 80)},
        /* If several nodes have several ranks each, the message leaves a node once more than a rank sends it. */
        {"two-tree", {ON(four_pairs, BCAST, NONE, 8, 0, 40, 40)}, 6 * 100 + 3 * 50 + 9 * 10 + 40},
        {"two-tree", {ON(two_fours, BCAST, NONE, 8, 0, 40, 40)}, 6 * 100 + 3 * 50 + 9 * 10 + 40},
        {"two-tree", {ON(one_node, BCAST, NONE, 8, 0, 40, 40)}, 6 * 100 + 3 * 50 + 9 * 10},
        {"chain", {ON(four_pairs, BCAST, NONE, 8, 0, 40, 40)}, 4 * 100 + 3 * 50 + 7 * 10},
        /* A chain visits node after node: half of its hops are inside nodes, and take no time. A scan has to go by rank. */
        {"chain", {ON(dealt, BCAST, NONE, 8, 0, 40, 40)}, 4 * 100 + 3 * 50 + 7 * 10},
        {"chain", {ON(dealt, SCAN, EXACT, 8, 0, 40, 5)}, 7 * 100 + 4 * 50 + 11 * (8 + 80) + 40},
        /* The native call, by its formula. */
        {"native", {ON(eight, BCAST, NONE, 8, 0, 8, 8)}, 3 * (1000 + 8)},                /* binomial */
        {"native", {ON(eight, BCAST, NONE, 8, 0, 80000, 80000)}, 10 * 1000 + 2 * 70000}, /* scatter, allgather */
        {"native", {ON(eight, BCAST, NONE, 9, 0, 8, 8)}, 4 * (1000 + 8)},
        {"native", {ON(eight, BCAST, NONE, 2, 0, 8, 8)}, 100 + 8}, /* no alpha, but a hop */
        {"native", {ON(eight, REDUCE, EXACT, 8, 0, 8, 1)}, 3 * (1000 + 8 + 80) + 80},
        {"native", {ON(eight, REDUCE, EXACT, 2, 1, 8, 1)}, 100 + 8 + 80 + 80},
        /* reduce-scatter, gather */
        {"native", {ON(eight, REDUCE, ROUNDS, 8, 1, 80000, 10000)}, 6 * 1000 + 2 * 70000 + 700000 + 800000},
        {"native", {ON(eight, REDUCE, ORDERED, 8, 0, 80000, 10000)}, 3 * (1000 + 80000 + 800000) + 800000},
        {"native", {ON(eight, REDUCE, ORDERED, 8, 1, 80000, 10000)}, 3 * (1000 + 80000 + 800000) + 1000 + 80000 + 800000},
        {"native", {ON(eight, SCAN, EXACT, 8, 0, 80000, 10000)}, 3 * (1000 + 80000 + 2 * 800000)},
        {"native", {ON(eight, EXSCAN, ORDERED, 2, 0, 8, 1)}, 1000 + 8 + 2 * 80},
    };
    for (size_t i = 0; i < COUNT(by_hand); i++) {
        const struct facts *f = &by_hand[i].facts;
        const struct terms terms = {.figures = plain, .native = 1, .block = 10, .shape = choose_shape(f, 1)};
        struct cutting cut;
        double seconds = model_seconds(engine_find(by_hand[i].engine), &terms, f, &cut);
        ck_assert_msg(seconds == by_hand[i].seconds, "%s, row %zu: %g s, not %g", by_hand[i].engine, i, seconds,
                      by_hand[i].seconds);
        ck_assert_int_eq(cut.blocks, strcmp(by_hand[i].engine, "native") == 0 ? 0 : f->units == 40 ? 4 : 5);
    }
    const struct facts f = {ON(eight, BCAST, NONE, 5, 0, 40, 40)};
    struct cutting cut; /* a gap of 0 counts as a nanosecond, in each of the three rounds after the pipeline is full */
    const struct terms terms = {.block = 10, .shape = choose_shape(&f, 1)};
    double seconds = model_seconds(engine_find("chain"), &terms, &f, &cut);
    ck_assert_msg(fabs(seconds - 3e-9) < 1e-15, "%g s", seconds);
}

#define CARD (50 / 8.0) /* seconds of a further message through a card */

/* An engine whose message has a part for each rank: exchanges, bytes and folds on the node and between nodes. */
START_TEST(butterfly_by_hand)
{
    static const struct {
        enum op_class op;
        const struct machine *machine;
        int64_t block;
        struct cutting cut;
        double seconds;
    } by_hand[] = {
        /* 64 bytes are 8 elements. A rank exchanges half of them, then a quarter. */
        {OP_EXACT, &four_alone, 32, {8, 4}, 4 * 1000 + 1.5 * 64 + 0.75 * 640},
        {OP_EXACT, &four_alone, 40, {8, 4}, 4 * 1000 + 1.5 * 64 + 0.75 * 640},
        {OP_EXACT, &four_alone, 64, {8, 4}, 4 * 1000 + 1.5 * 64 + 0.75 * 640},
        {OP_EXACT, &four_alone, 16, {8, 2}, 6 * 1000 + 1.5 * 64 + 0.75 * 640},
        {OP_EXACT, &four_alone, 8, {8, 1}, 12 * 1000 + 1.5 * 64 + 0.75 * 640},
        {OP_EXACT, &four_alone, 1, {8, 1}, 12 * 1000 + 1.5 * 64 + 0.75 * 640},
        {OP_ORDERED, &four_alone, 32, {8, 4}, 4 * 1000 + 1.5 * 64 + 1.5 * 640}, /* with copies */
        /* An exchange on the node, then one between nodes, for which two ranks share a card, which takes CARD for each. */
        {OP_EXACT, &two_pairs, 32, {8, 4}, 2 * 200 + 0.5 * 64 + 2 * (1000 + CARD) + 2 * 0.5 * 64 + 0.75 * 640},
        {OP_EXACT, &two_pairs, 16, {8, 2}, 4 * 200 + 0.5 * 64 + 2 * (1000 + CARD) + 2 * 0.5 * 64 + 0.75 * 640},
        /* All on one node: `plain` has the node's figures then. */
        {OP_EXACT, &one_node, 32, {8, 4}, 4 * 1000 + 1.5 * 64 + 0.75 * 640},
    };
    for (size_t i = 0; i < COUNT(by_hand); i++) {
        const struct facts f = {FACTS(COLL_ALLREDUCE, by_hand[i].op, REASON_NONE, 4, 0, 64, 8, by_hand[i].machine)};
        const struct terms terms = {
            .figures = plain, .node = inside, .native = 1, .block = by_hand[i].block, .shape = choose_shape(&f, 1)};
        struct cutting cut;
        const double seconds = model_seconds(engine_find("butterfly"), &terms, &f, &cut);
        ck_assert_msg(fabs(seconds - by_hand[i].seconds) < 1e-6, "row %zu: %.1f s, not %.1f", i, seconds,
                      by_hand[i].seconds);
        ck_assert_msg(cut.blocks == by_hand[i].cut.blocks && cut.wide == by_hand[i].cut.wide,
                      "row %zu: %" PRId64 " blocks, %" PRId64 " in a piece", i, cut.blocks, cut.wide);
    }
}

static double on_two_pairs(const char *engine, enum collective c, const struct figures *node)
{
    const struct facts f = {FACTS(c, collective_reduces(c) ? OP_EXACT : OP_NONE, REASON_NONE, 4, 0, 64, 8, &two_pairs)};
    const struct terms terms = {.figures = plain, .node = *node, .native = 1, .block = 32, .shape = choose_shape(&f, 1)};
    struct cutting cut;
    return model_seconds(engine_find(engine), &terms, &f, &cut);
}

/* A message starts no later inside a node than between nodes. */
START_TEST(nodes_start_no_later)
{
    struct figures late = plain;
    late.alpha = late.hop = late.gap = 5000;
    ck_assert(on_two_pairs("butterfly", COLL_ALLREDUCE, &late) == on_two_pairs("butterfly", COLL_ALLREDUCE, &plain));
    ck_assert(on_two_pairs("native", COLL_ALLREDUCE, &late) == on_two_pairs("native", COLL_ALLREDUCE, &plain));
}

/*
 * A byte inside a node may take longer than one between nodes. Then bytes inside nodes decide the time of the steps in which
 * all ranks exchange.
 */
START_TEST(nodes_may_be_slower)
{
    struct figures fast = plain, slow = plain;
    fast.beta /= 4;
    slow.beta *= 4;
    for (enum collective c = 0; c < COLLECTIVES; c++)
        ck_assert(on_two_pairs("native", c, &slow) > on_two_pairs("native", c, &plain));
    ck_assert(on_two_pairs("butterfly", COLL_ALLREDUCE, &slow) > on_two_pairs("butterfly", COLL_ALLREDUCE, &plain));
    ck_assert(on_two_pairs("two-tree", COLL_REDUCE, &fast) == on_two_pairs("two-tree", COLL_REDUCE, &plain));
    ck_assert(on_two_pairs("two-tree", COLL_REDUCE, &slow) > on_two_pairs("two-tree", COLL_REDUCE, &plain));
}

/*
 * Nothing measured may choose among engines that give different bits. For such calls, the cost of an offer says how many
 * times slower than the best offer it can be on any plausible machine, and the choice takes the offer with the least cost.
 * Here, native takes up to 1.9 times as long as two-tree on slow networks, and two-tree takes hardly longer than native on
 * fast ones.
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

    /* If settings give all figures, a single machine is plausible: the offer with the least cost is the fastest. */
    s = read_settings((const char *[ENV]){"PLEACH_ALPHA=1ms", "PLEACH_BETA=0.8ns", "PLEACH_GAMMA=0.2ns"});
    choose_list(&s, NULL, &sum, list);
    ck_assert(list[0].cost == 1 && fabs(list[tree].cost - list[tree].seconds / list[0].seconds) < 1e-12);
    ck_assert_ptr_eq(choose(&s, NULL, &sum).engine, engines[0]);
}

SUITE("model", 60)
