/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Doubly-pipelined: scans over one binary tree, in which blocks go up and down at once.
 *
 * P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, LNCS 4192, Sect. 2.3; their b
 * blocks are n here, and their height n of the tree is h. The tree is U of two_tree.c over all p ranks, in-order and of
 * height h = floor(log2 p) = ceil(log2(p+1)) - 1. The messages and their steps are those of scan_trees.c.
 *
 * A node exchanges with its parent, its left child and its right child by turns, so a block takes three steps; all bandwidth
 * is used but for one direction where a block has no counterpart. Take a node d edges below the left child of a node of the
 * right spine. In its first d exchanges with its parent a block goes up and none comes down: the *fill phase*. In the
 * *steady state* block j comes down while block j+d goes up. In the last d exchanges, the *drain phase*, blocks only come
 * down. On the left spine nothing comes down, on the right spine nothing goes up. With h levels to climb and as many to
 * descend, of at most two steps each, there are 3(n-1) + 4h - 2 rounds, as in the paper: 3 beta*m.
 *
 * Example, p = 7, n = 4, h = 2; the tree is  3 -> (1 -> (0, 2), 5 -> (4, 6)). Rank 2 has d = 1. The block received / the
 * block sent, in a scan or an exclusive scan:
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
#include "two_tree_scan.h"

static void generate(struct schedule *s)
{
    scan_doubly(&scan_tree_u, s);
}

static struct pace pace(const struct shape *s)
{
    return scan_doubly_pace(&scan_tree_u, s);
}

const struct engine engine_doubly_pipelined = {
    .name = "doubly-pipelined",
    .summary = "one binary tree, in which the blocks go up and down at once",
    .trees = 1,
    .scratch = 3,
    .serves =
        {
            [COLL_SCAN] = {.text.rounds = "4h-5+3n", .pace = pace, .generate = generate},
            [COLL_EXSCAN] = {.text.rounds = "4h-5+3n", .executor.keeps_input = true, .pace = pace, .generate = generate},
        },
};
