/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Doubly-pipelined: scans over one binary tree in which blocks go up and down at once. doc/scans says more.
 *
 * P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, LNCS 4192, Sect. 2.3. Their b
 * blocks are n here, and their height n of the tree is h. The tree is U of shift_trees.c over all p ranks: in-order, of
 * height h = floor(log2 p). The messages and their steps are those of scan_trees.c.
 *
 * A node exchanges with its parent, its left child and its right child by turns. So each block comes three steps after the
 * previous one. Rounds: 3(n-1) + 4h - 2, as in the paper.
 *
 * Example, p = 7, n = 4, h = 2; the tree is  3 -> (1 -> (0, 2), 5 -> (4, 6)). The block received / the block sent, in a
 * scan or an exclusive scan:
 *
 *     step     0    1    2    3    4    5    6    7    8    9   10   11   12   13   14
 *     rank 0  -/0            -/1            -/2            -/3
 *     rank 1  0/-  0/-  -/0  1/-  1/0  -/1  2/-  2/1  -/2  3/-  3/2  -/3       -/3
 *     rank 2       -/0            0/1            1/2            2/3            3/-
 *     rank 3            0/-  -/0       1/-  -/1       2/-  -/2       3/-  -/3
 *     rank 4                      0/0            1/1            2/2            3/3
 *     rank 5                 0/-  0/0  -/0  1/-  1/1  -/1  2/-  2/2  -/2  3/-  3/3  -/3
 *     rank 6                           0/-            1/-            2/-            3/-
 */
#include "two_tree.h"

static const struct trees tree = {scan_one_tree_round_bound, &single_tree, .way = SCAN_DOUBLY};

#define SCAN .text.rounds = "4h-5+3n", .model.both_ways = true, .trees = &tree, .generate = scan_one_tree

const struct engine engine_doubly_pipelined = {
    .name = "doubly-pipelined",
    .summary = "one binary tree, in which the blocks go up and down at once",
    .scratch = 3,
    .serves = {[COLL_SCAN] = {SCAN}, [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
