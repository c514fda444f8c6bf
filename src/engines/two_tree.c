/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two-tree: two pipelined binary trees at once, each carrying half of the message. doc/two-trees says more.
 *
 * P. Sanders, J. Speck, J. L. Traeff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", Parallel
 * Computing 35 (2009) 581-594, with the *shift* construction (shift_trees.c).
 *
 * Example, broadcast, p = 7, root 0, n = 4. Blocks 0, 1 go down V, 3 -> (1 -> (-, 2), 5 -> (4, 6)). Blocks 2, 3 go down U,
 * 4 -> (2 -> (1, 3), 6 -> (5, -)). The block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6    7
 *     rank 0  -/0  -/2  -/1  -/3
 *     rank 1       0/-  -/0  1/-  2/1       3/-
 *     rank 2            0/-  2/-  1/2  3/2  -/3  -/3
 *     rank 3  0/-  -/0  1/0  -/1  -/1  2/-       3/-
 *     rank 4       2/-  -/2  3/2  0/3  -/3  1/-
 *     rank 5            0/-  2/0  1/0  3/1  -/1
 *     rank 6            2/-  0/2  3/-  1/3
 */
#include "two_tree.h"

static const struct trees pipeline = {trees_round_bound, &two_trees, .count = 2};

#define PIPELINE(rounds_, crossings_)                                                                                       \
    .text.rounds = rounds_, .model.streams = true, .model.crossings = crossings_, .model.both_ways = true,                  \
    .trees = &pipeline, .generate = trees_generate
#define SCAN                                                                                                                \
    .text.rounds = "6q-7+2n", .model.crossings = 4, .model.both_ways = true, .round_bound = two_tree_scan_round_bound,      \
    .generate = two_tree_scan

const struct engine engine_two_tree = {
    .name = "two-tree",
    .summary = "two binary trees at once, half of the message down each (shift construction)",
    .halves = true,
    .scratch = 4,
    .serves = {[COLL_BCAST] = {PIPELINE("2q-1+n", 2)},
               [COLL_REDUCE] = {PIPELINE("2q-1+n", 2), .text.interior = "4q-2+2n"},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true},
               [COLL_ALLREDUCE] = {PIPELINE("4q-2+2n", 4)}},
};
