/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Smp: the doubly-pipelined scan over a tree in which two ranks of a node talk to other nodes. doc/clusters says more.
 *
 * P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 4, the second of the two
 * trees for clusters of P nodes. Node i has p_i consecutive ranks: k, and on the last node maybe fewer. The schedule is
 * that of scan_trees.c.
 *
 * The leftmost ranks g_i of the nodes form the *global* tree, the in-order tree U of two_tree.c. Each node's other ranks
 * form a *local* tree with the root r_i; there is none if p_i = 1. If g_i has no right successor in the global tree, its
 * right successor is r_i. If g_i, i > 0, has no left successor in the global tree, its left successor is r_{i-1}.
 *
 * Height: h = ceil(log2(P+1)) + ceil(log2 k) - 1. Rounds: 4h - 5 + 3n. Between nodes: 3m(P-1) at most.
 *
 * Example, p = 6 on nodes of k = 2; the nodes' ranks are 0 1 | 2 3 | 4 5, the global tree is 2 -> (0, 4):
 *
 *            2              1 is r_0, as 0 has no right successor; 3 is r_1, as 4 has no left one and 2 has a right one
 *        0       4
 *          1   3   5
 *
 * Scan, n = 2; the block received / the block sent:
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

/* The root r_y of a node's local tree, or -1. */
static int local_root(const struct shape *s, int y)
{
    int others = smp_count(s, y) - 1;
    return others > 0 ? y * s->node_ranks + 1 + two_tree_root(others, TREE_U) : -1;
}

static int parent(const struct shape *s, int rank)
{
    const struct smp_position position = smp_position(s, rank);
    int k = s->node_ranks, nodes = smp_nodes(s), head = rank - position.x;
    if (position.x == 0) {
        int up = two_tree_parent(nodes, TREE_U, position.y);
        return up < 0 ? -1 : up * k;
    }
    int up = two_tree_parent(position.count - 1, TREE_U, position.x - 1);
    if (up >= 0)
        return head + 1 + up;
    int global[2];
    two_tree_children(nodes, TREE_U, position.y, global);
    return global[RIGHT] < 0 ? head : head + k;
}

static void children(const struct shape *s, int rank, int child[2])
{
    const struct smp_position position = smp_position(s, rank);
    if (position.x == 0) {
        two_tree_children(smp_nodes(s), TREE_U, position.y, child);
        for (int i = LEFT; i <= RIGHT; i++)
            child[i] *= child[i] < 0 ? 1 : s->node_ranks;
        if (child[LEFT] < 0 && position.y > 0)
            child[LEFT] = local_root(s, position.y - 1);
        if (child[RIGHT] < 0)
            child[RIGHT] = local_root(s, position.y);
        return;
    }
    two_tree_children(position.count - 1, TREE_U, position.x - 1, child);
    for (int i = LEFT; i <= RIGHT; i++)
        child[i] += child[i] < 0 ? 0 : rank - position.x + 1;
}

static int height(const struct shape *s)
{
    return ceil_log2((int64_t)smp_nodes(s) + 1) + ceil_log2(smp_count(s, 0)) - 1;
}

const struct scan_tree smp_tree = {parent, children, height};

static void generate(struct schedule *s)
{
    scan_one_tree(&smp_tree, SCAN_DOUBLY, s);
}

static struct round_bound round_bound(const struct shape *s)
{
    return scan_one_tree_round_bound(&smp_tree, SCAN_DOUBLY, s);
}

#define SCAN                                                                                                                \
    .model.reference = true, .text.rounds = "4ceil(log2(P+1))+4ceil(log2 k)-9+3n", .needs = NEED_EQUAL_NODES,               \
    .round_bound = round_bound, .generate = generate

const struct engine engine_smp = {
    .name = "smp",
    .summary = "one tree, blocks up and down at once; two ranks of a node talk to other nodes",
    .made_for = MADE_FOR_MANY_A_NODE,
    .trees = 1,
    .scratch = 3,
    .serves = {[COLL_SCAN] = {SCAN}, [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
