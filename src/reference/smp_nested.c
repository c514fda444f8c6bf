/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Smp-nested: the doubly-pipelined scan (scan_trees.c) over a tree of the nodes' trees, with less traffic between nodes than
 * smp; see doc/clusters.
 *
 * The paper that smp.c cites, Sect. 4, the first of the two trees for clusters of P nodes of k consecutive ranks; the last
 * may have fewer.
 *
 * The ranks of a node form a local tree, and the nodes a tree: in-order, U of shift_trees.c. A node's leftmost rank has as
 * left child the root of the left successor node's tree, its rightmost rank as right child that of the right successor's.
 *
 * Example, p = 6 on nodes of k = 2; the nodes' ranks are 0 1 | 2 3 | 4 5, node 1 is the root:
 *
 *              3
 *            2   5
 *          1    4
 *         0
 *
 * Scan, n = 2:
 *
 *     step     0    1    2    3    4    5    6    7    8    9
 *     rank 0  -/0            -/1
 *     rank 1  0/-       -/0  1/-       -/1
 *     rank 2            0/-       -/0  1/-       -/1
 *     rank 3                      0/-  -/0       1/-  -/1
 *     rank 4                                0/0            1/1
 *     rank 5                           0/-  0/0       1/-  1/1
 */
#include "smp.h"

static int local_root(int p, int k, int y)
{
    return y * k + two_tree_root(smp_count(p, k, y), TREE_U);
}

static int root(int p, int k)
{
    return local_root(p, k, two_tree_root(smp_nodes(p, k), TREE_U));
}

static void children(int p, int k, int rank, int child[2])
{
    const struct smp_position position = smp_position(p, k, rank);
    int nodes[2];
    two_tree_children(position.count, TREE_U, position.x, child);
    two_tree_children(smp_nodes(p, k), TREE_U, position.y, nodes);
    for (int i = LEFT; i <= RIGHT; i++)
        if (child[i] != NOBODY)
            child[i] += rank - position.x;
        else if (position.x == (i == LEFT ? 0 : k - 1) && nodes[i] != NOBODY)
            child[i] = local_root(p, k, nodes[i]);
}

static int height(int p, int k)
{
    return ceil_log2((int64_t)smp_nodes(p, k) + 1) * ceil_log2((int64_t)smp_count(p, k, 0) + 1) - 1;
}

const struct family smp_nested_trees = {root, children, hop_by_side, height, NULL};

static const struct trees tree = {scan_one_tree_round_bound, &smp_nested_trees, .nodes = true, .way = SCAN_DOUBLY};

#define SCAN                                                                                                                \
    .model.reference = true, .text.rounds = "4ceil(log2(P+1))ceil(log2(k+1))-9+3n", .needs = NEED_EQUAL_NODES,              \
    .trees = &tree, .generate = scan_one_tree

const struct engine engine_smp_nested = {
    .name = "smp-nested",
    .summary = "a tree of the nodes' trees, blocks up and down at once; three ranks of a node talk to other nodes",
    .made_for = MADE_FOR_MANY_A_NODE,
    .scratch = 3,
    .serves = {[COLL_SCAN] = {SCAN}, [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
