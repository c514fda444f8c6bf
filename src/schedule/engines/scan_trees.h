/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scan and exclusive scan over pipelined in-order binary trees. An engine with one tree chooses between two ways to use it.
 * The engine two-tree gives a clock for each of its trees. See scan_trees.c for the schedule.
 */
#ifndef PLEACH_SCAN_TREES_H
#define PLEACH_SCAN_TREES_H

#include "engine.h"

/* An in-order binary tree over all ranks: a parent is higher than its left subtree, and lower than its right subtree. */
struct scan_tree {
    int (*parent)(const struct shape *, int x);                  /* -1 at the root */
    void (*children)(const struct shape *, int x, int child[2]); /* left, right; -1 where there is none */
    int (*height)(const struct shape *);                         /* edges from the root to the deepest leaf, or more */
};

/* ---- One tree ------------------------------------------------------------------------------------------------------
 *
 * For struct service. These functions use the slots T0 .. T2 and serve any number of ranks. The exclusive scan keeps its
 * input.
 */

/* The two ways to use a tree of height h. Their values are the periods in steps. */
enum scan_way {
    SCAN_TWO_PHASE = 2, /* one phase after the other: 4(n-1) + 4h - 2 rounds */
    SCAN_DOUBLY = 3     /* both phases at once, in which a rank uses its three edges by turns: 3(n-1) + 4h - 2 rounds */
};

void scan_one_tree(const struct scan_tree *tree, enum scan_way way, struct schedule *s);
struct round_bound scan_one_tree_round_bound(const struct scan_tree *tree, enum scan_way way, const struct shape *shape);

/* ---- One of several trees ------------------------------------------------------------------------------------------ */

/* Steps between two messages about one block, where x is a child of `parent`. HOP_DOWN and HOP_UP are 1 .. period. */
enum scan_hop {
    HOP_DOWN, /* from the prefix's arrival at the parent to its arrival at x */
    HOP_UP,   /* from x's sending up to the parent's sending up */
    HOP_TURN  /* from the prefix's arrival at the parent to x's sending up; if the parent sends nothing up, and x is its left
                 child */
};

/*
 * The step numbers. The steps of the tree's first block follow from the hops along the path to the root. The j-th block
 * follows j periods later. The hops must give a rank at most one send and one receive in a step. HOP_TURN must be less than
 * HOP_DOWN to the right child, and at most HOP_DOWN to the left child. At any node the hop up from the right child or the
 * hop down to the left child may be as long as the period, but not both.
 */
struct scan_clock {
    int (*hop)(const struct shape *, enum scan_hop, int x, int parent);
    int64_t period;
    int64_t origin;        /* the step from which hops count, as if a prefix arrived at the root in it */
    int64_t delay;         /* steps by which all messages down are later than the hops say */
    uint8_t spare;         /* a slot other than T0 and T2; if a hop is as long as the period, other than T1, too */
    int64_t block, blocks; /* first block that the tree carries, and their number, maybe 0 */
};

/* Adds this rank's lanes in one tree over p >= 2 ranks. The exclusive scan keeps its input. */
void scan_tree_lanes(const struct scan_tree *tree, const struct scan_clock *clock, struct schedule *s);

/* ---- A tree that no functions give --------------------------------------------------------------------------------- */

/* An edge of a rank. */
struct scan_edge {
    int peer;         /* the rank at its other end, or -1 */
    int64_t up, down; /* steps in which the first block goes up and down the edge; -1: none does */
};

struct scan_edges {
    struct scan_edge parent, left, right;
};

/* The blocks that a tree carries, and the slots in which a rank keeps them. */
struct scan_share {
    int64_t period;        /* steps between a block and the next */
    uint8_t right, prefix; /* slots for the blocks R and P of scan_trees.c; the same if the rank never holds both */
    uint8_t spare;         /* another slot; if a hop may be as long as the period, not `right` + 1 */
    int64_t block, blocks; /* first block that the tree carries, and their number, maybe 0 */
};

/* Adds this rank's lanes in a tree, by its edges. The steps must satisfy the conditions of struct scan_clock. */
void scan_edge_lanes(const struct scan_edges *edges, const struct scan_share *share, struct schedule *s);

#endif
