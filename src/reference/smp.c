/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Smp: the doubly-pipelined scan over a tree in which two ranks of a node talk to other nodes; see doc/clusters.
 *
 * P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 4, the second of the two
 * trees for clusters of P nodes of k consecutive ranks; the last may have fewer.
 *
 * The leftmost ranks g_i of the nodes form the *global* tree, the in-order tree U of shift_trees.c. A node's other ranks
 * form a *local* tree with the root r_i, if there are any. If g_i has no right successor in the global tree, its right
 * successor is r_i. If g_i, i > 0, has no left successor in the global tree, its left successor is r_{i-1}.
 *
 * Example, p = 6 on nodes of k = 2; the nodes' ranks are 0 1 | 2 3 | 4 5, the global tree is 2 -> (0, 4):
 *
 *            2              1 is r_0, right of 0; 3 is r_1, left of 4, as 2 has a right successor; 5 is r_2, right of 4
 *        0       4
 *          1   3   5
 *
 * Scan, n = 2:
 *
 *     step     0    1    2    3    4    5    6    7    8
 *     rank 0       0/-  -/0       1/0  -/1       -/1
 *     rank 1       -/0            0/1            1/-
 *     rank 2            0/-  -/0       1/-  -/1
 *     rank 3                      0/0            1/1
 *     rank 4                 0/-  0/0  -/0  1/-  1/1  -/1
 *     rank 5                           0/-            1/-
 */
#include "smp.h"

/* r_y of node y, or NOBODY. */
static int local_root(int p, int k, int y)
{
    int others = smp_count(p, k, y) - 1;
    return others > 0 ? y * k + 1 + two_tree_root(others, TREE_U) : NOBODY;
}

static int root(int p, int k)
{
    return two_tree_root(smp_nodes(p, k), TREE_U) * k;
}

static void children(int p, int k, int rank, int child[2])
{
    const struct smp_position position = smp_position(p, k, rank);
    const bool global = position.x == 0;
    if (global)
        two_tree_children(smp_nodes(p, k), TREE_U, position.y, child);
    else
        two_tree_children(position.count - 1, TREE_U, position.x - 1, child);
    for (int i = LEFT; i <= RIGHT; i++)
        if (child[i] != NOBODY)
            child[i] = global ? child[i] * k : rank - position.x + 1 + child[i];
    if (global && child[LEFT] == NOBODY && position.y > 0)
        child[LEFT] = local_root(p, k, position.y - 1);
    if (global && child[RIGHT] == NOBODY)
        child[RIGHT] = local_root(p, k, position.y);
}

static int height(int p, int k)
{
    return ceil_log2((int64_t)smp_nodes(p, k) + 1) + ceil_log2(smp_count(p, k, 0)) - 1;
}

const struct family smp_trees = {root, children, hop_by_side, height, NULL};

static const struct trees tree = {scan_one_tree_round_bound, &smp_trees, .nodes = true, .way = SCAN_DOUBLY};

#define SCAN                                                                                                                \
    .model.reference = true, .text.rounds = "4ceil(log2(P+1))+4ceil(log2 k)-9+3n", .needs = NEED_EQUAL_NODES,               \
    .trees = &tree, .generate = scan_one_tree

const struct engine engine_smp = {
    .name = "smp",
    .summary = "one tree, blocks up and down at once; two ranks of a node talk to other nodes",
    .made_for = MADE_FOR_MANY_A_NODE,
    .scratch = 3,
    .serves = {[COLL_SCAN] = {SCAN}, [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
