/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bintree: one pipelined binary tree. doc/two-trees and doc/scans say more.
 *
 * P. Sanders, J. Speck, J. L. Traeff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", Parallel
 * Computing 35 (2009), Sect. 2, formula (1), compare other algorithms with this one. It takes 2 beta*m, as half of the
 * ranks' bandwidth lies idle.
 *
 * The root feeds the in-order tree U of shift_trees.c over the p-1 other ranks. A block that comes to a node in some step
 * goes to the left child in the next step, and to the right child one step later, while the next block comes in. Rounds: at
 * most 2n + 2q - 3. An ordered reduction to an interior root goes to rank 0 first, as in trees.c, and takes at most twice as
 * many rounds.
 *
 * Example, p = 7, n = 3, root 0; the tree is  4 -> (2 -> (1, 3), 6 -> (5, -)). The block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6    7
 *     rank 0  -/0       -/1       -/2
 *     rank 1            0/-       1/-       2/-
 *     rank 2       0/-  -/0  1/0  -/1  2/1  -/2  -/2
 *     rank 3                 0/-       1/-       2/-
 *     rank 4  0/-  -/0  1/0  -/1  2/1  -/2  -/2
 *     rank 5                 0/-       1/-       2/-
 *     rank 6            0/-  -/0  1/-  -/1  2/-  -/2
 *
 * Scans: the two phases of scan_trees.c one after the other, over the tree U of all p ranks. A block takes two steps in
 * each phase: 4(n-1) + 4h - 2 rounds, h = floor(log2 p).
 */
#include "two_tree.h"

static const struct trees pipeline = {trees_round_bound, &single_tree, .count = 1};
static const struct trees scan = {scan_one_tree_round_bound, &single_tree, .way = SCAN_TWO_PHASE};

#define PIPELINE .text.rounds = "2q-3+2n", .model.streams = true, .trees = &pipeline, .generate = trees_generate
#define SCAN .model.reference = true, .text.rounds = "4h-6+4n", .trees = &scan, .generate = scan_one_tree

const struct engine engine_bintree = {
    .name = "bintree",
    .summary = "one pipelined binary tree",
    .scratch = 3,
    .serves = {[COLL_BCAST] = {PIPELINE},
               [COLL_REDUCE] = {PIPELINE, .text.interior = "4q-6+4n"},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
