/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: two pipelined binary trees at once over places in places, each carrying half of the message. doc/places says more.
 *
 * This is our extension of P. Sanders, J. Speck, J. L. Traeff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction
 * and Scan", Parallel Computing 35 (2009) 581-594, to machines that are not uniform. The paper's flat trees know no places.
 * With places of 50, 40, 30 and 17 ranks, they send up to 4.5 times the message out of a place. The trees here send it into
 * each place once, and out at most once. pair.c makes the trees, tree_pair.c colours their edges and has the schedule.
 *
 * Rounds: n + s. The span s is the last step in which a rank gets its first block of a tree; tree_pair.c finds it. For K
 * places of k ranks it is about 2 ceil(log2 K) + 2 ceil(log2 k) + 4. Flat trees have 2q-1 instead.
 *
 *     places        16x16   64x16   256x64   4x8x32
 *     span             16      20       28       22
 *     flat             15      19       27       19
 *
 * The root may be any rank: its place comes first at every level. An ordered reduction needs in-order trees. The trees of
 * root 0 are in-order, and root p-1 has their mirror image. For any other root, rank 0 computes the result and sends it on.
 *
 * Example, broadcast, places of 3, 2 and 2 ranks, root 0. Blocks 0, 1 go down 3 -> (1 -> (-, 2), 4 -> (-, 6 -> (5, -))), and
 * blocks 2, 3 down 2 -> (1, 5 -> (4 -> (3, -), 6)). The block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6    7
 *     rank 0  -/0  -/2  -/1  -/3
 *     rank 1            0/-  2/-  1/0  3/-  -/1
 *     rank 2       2/-  -/2  3/2  0/3  -/3  1/-
 *     rank 3  0/-  -/0  1/0  -/1  -/1  2/-       3/-
 *     rank 4       0/-  -/0  1/-  2/1  -/2  3/-  -/3
 *     rank 5            2/-  0/2  3/2  1/3  -/3
 *     rank 6            0/-  2/0  1/-  3/1
 */
#include "pair.h"

static tree_pair_maker *maker_for(const struct shape *s)
{
    return s->collective == COLL_REDUCE && s->ordered && s->root == s->ranks - 1 ? pair_last : pair_first;
}

static void generate(struct schedule *s)
{
    tree_pair_generate(s, maker_for(&s->shape));
}

static struct round_bound round_bound(const struct shape *s)
{
    return tree_pair_round_bound(s, maker_for(s));
}

#define PAIR                                                                                                                \
    .text.rounds = "n+s", .needs = NEED_PLACES, .round_bound = round_bound, .generate = generate, .model.streams = true,    \
    .model.crossings = 1, .model.both_ways = true

#define SCAN                                                                                                                \
    .text.rounds = "2n+s", .needs = NEED_PLACES_IN_ORDER, .trees = &places_scan, .generate = tree_pair_scan,                \
    .model.both_ways = true

const struct engine engine_places = {
    .name = "places",
    .summary = "two binary trees over nested groups, half of the message down each; each tree enters every group once",
    .halves = true,
    .scratch = 5,
    .serves = {[COLL_BCAST] = {PAIR},
               [COLL_REDUCE] = {PAIR, .text.interior = "2n+2s"},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
