/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scan and exclusive scan over pipelined in-order binary trees. Engines with one tree say which of two ways it is used in;
 * two-tree gives a clock for each of its trees. See scan_trees.c for the schedule.
 */
#ifndef PLEACH_SCAN_TREES_H
#define PLEACH_SCAN_TREES_H

#include "engine.h"

/* A binary tree over all ranks, in-order: a left subtree's ranks are below its parent, a right subtree's above. */
struct scan_tree {
    int (*parent)(const struct shape *, int x);                  /* -1 at the root */
    void (*children)(const struct shape *, int x, int child[2]); /* left, right; -1 where there is none */
    int (*height)(const struct shape *);                         /* edges from the root to the deepest leaf, or more */
};

/* ---- One tree ------------------------------------------------------------------------------------------------------
 *
 * Starts for struct service. They use the slots T0 .. T2, for any number of ranks. The exclusive scan keeps its input.
 */

/* The two ways of using a tree; their values are the periods in steps. Rounds with h = height: */
enum scan_way {
    SCAN_TWO_PHASE = 2, /* one phase after the other: 4(n-1) + 4h - 2 */
    SCAN_DOUBLY = 3     /* both phases at once, one exchange of a rank after another: 3(n-1) + 4h - 2 */
};

void scan_one_tree(const struct scan_tree *tree, enum scan_way way, struct schedule *s);
struct round_bound scan_one_tree_round_bound(const struct scan_tree *tree, enum scan_way way, const struct shape *shape);

/* ---- One of several trees ------------------------------------------------------------------------------------------ */

/* Steps between two messages about one block, where x is a child of `parent`. The first two are 1 .. period. */
enum scan_hop {
    HOP_DOWN, /* from the prefix's arrival at the parent to its arrival at x */
    HOP_UP,   /* from x's sending up to the parent's */
    HOP_TURN  /* the parent sends nothing up, x is its left child: from the prefix's arrival there to x's sending up */
};

/*
 * The step numbers. The hops along the path to the root tell those of the tree's first block; the j-th follows j periods
 * later. They must give a rank at most one send and one receive in a step, and HOP_TURN must be less than HOP_DOWN to the
 * right child and at most that to the left child. A hop up from a right child or down to a left child may be the period
 * itself, but not both at one node.
 */
struct scan_clock {
    int (*hop)(const struct shape *, enum scan_hop, int x, int parent);
    int64_t period;
    int64_t origin;        /* step in which the prefix would come to the root, if it had one */
    int64_t delay;         /* steps by which all that goes down is late */
    uint8_t spare;         /* a slot beside T0 and T2, and T1 if a hop is the whole period */
    int64_t block, blocks; /* first block that the tree carries, and their number, maybe 0 */
};

/* Adds the messages of a rank, one of p >= 2, in one tree. The exclusive scan keeps its input. */
void scan_tree_lanes(const struct scan_tree *tree, const struct scan_clock *clock, struct schedule *s);

/* ---- A tree that is not given by functions ------------------------------------------------------------------------- */

/*
 * An edge of a rank: who is at its other end, and the steps of the first block that goes up and down there; -1: none does.
 */
struct scan_edge {
    int peer;
    int64_t up, down;
};

struct scan_edges {
    struct scan_edge parent, left, right;
};

/* What a tree carries, and where a rank keeps it. */
struct scan_share {
    int64_t period;        /* steps between a block and the next */
    uint8_t right, prefix; /* slots for the blocks R and P of scan_trees.c; the same if the rank never keeps both */
    uint8_t spare;         /* a slot beside these, and beside `right` + 1 if a hop may be the whole period */
    int64_t block, blocks; /* first block that the tree carries, and their number, maybe 0 */
};

/* Adds the messages of a rank in a tree, by its edges. Their steps must be as a scan_clock would have them. */
void scan_edge_lanes(const struct scan_edges *edges, const struct scan_share *share, struct schedule *s);

#endif
