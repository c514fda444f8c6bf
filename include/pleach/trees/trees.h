/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pipelined binary trees: what a rank knows of a tree, and the lanes that follow from it. Formulas give some trees (struct
 * family); the others are made over places (tree_pair.h). See trees.c and scan_trees.c.
 */
#pragma once

#include "engine.h"

struct tree;
struct tree_pair;
struct tree_pair_beat;

/* The trees of a pair, and the sides. */
enum { TREE_U, TREE_V };
enum { LEFT, RIGHT };

enum { NEVER = -1 };

/* An edge of a rank. */
struct tree_edge {
    int peer;          /* the rank at its other end, or NOBODY; then the rest has no meaning */
    int64_t down, up;  /* the steps in which the first block goes down the edge and, in a scan, up; NEVER: no block goes */
    struct lane share; /* the blocks that go along the edge, the period and the runs; see tree_share_out() */
};

extern const struct tree_edge no_edge;

/*
 * A rank in a tree. A source, which feeds trees and is in none, has the tree's root as a child. The steps of a reduction are
 * those of the broadcast that it reverses; see struct clock.
 *
 * The trees of any_tree.c and fractional.c are not binary. There the edge to the left child stands for several children, or
 * the edge to the parent stands for several ranks that feed this one by turns (struct lane_run).
 */
struct tree_view {
    struct tree_edge parent, child[2]; /* [LEFT or RIGHT] */
    bool right_waits; /* in a reduction, a block of the right child comes first, and waits for the left child's block */
};

/* Returns a tree's share of the blocks, part number `part` of `parts`, as a lane without peer, step and slot. */
struct lane tree_share(const struct shape *shape, int64_t period, int parts, int part);

/* Gives the same share to all edges. */
void tree_share_out(struct tree_view *x, struct lane share);

/* ---- Lanes ----------------------------------------------------------------------------------------------------------- */

/* Adds the rank's lanes in the broadcast, whose first step is number `start`. */
void tree_bcast(struct schedule *s, const struct tree_view *x, int64_t start);

/* How the steps of a reduction follow from those of the broadcast that it reverses. */
struct clock {
    int64_t end;  /* the step behind the broadcast's last */
    int dilation; /* 1; or 2: every step counts twice, so that an interior root's blocks can be sent on */
};

/* Times a lane that reverses an edge of a broadcast, and turns its runs round. The edge has its first block in step d. */
struct lane trees_timed(struct lane lane, const struct clock *c, int64_t d);

/*
 * Adds the rank's lanes in the reduction. The blocks of its children, combined with IN, go to its parent; they lie in slots
 * from T(base) on, see trees.c. The rank without a parent has the result, and sends it on if it is not the root.
 */
void tree_reduce(struct schedule *s, const struct tree_view *x, const struct clock *c, int base);

/*
 * Adds the root's lane for the result of the blocks of `share`, which `source` sends on. `d`: the step of the broadcast in
 * which the source first feeds the tree of that share.
 */
void tree_receive_result(struct schedule *s, struct lane share, const struct clock *c, int64_t d, int source);

/* The slots in which a rank keeps the blocks of a scan; see scan_trees.c. */
struct scan_slots {
    uint8_t right, prefix; /* for the blocks R and P; one slot for both if the rank never holds both at once */
    uint8_t spare;         /* another slot; not `right` + 1 if a hop may be as long as the period */
};

/*
 * Adds the rank's lanes in a scan, or an exclusive scan, which keeps its input. The tree is in-order. At any node the hop up
 * from the right child or the hop down to the left child may be as long as the period, but not both; no hop is longer.
 */
void tree_scan(struct schedule *s, const struct tree_view *x, struct scan_slots slots);

/* The two ways to scan over a single tree of height h. Their values are the periods in steps. */
enum scan_way {
    SCAN_TWO_PHASE = 2, /* one phase after the other: 4(n-1) + 4h - 2 rounds */
    SCAN_DOUBLY = 3     /* both phases at once, in which a rank uses its three edges by turns: 3(n-1) + 4h - 2 rounds */
};

/* The values that distinguish engines which share functions of struct service. Each function says which values it takes. */
struct trees {
    struct round_bound (*round_bound)(const struct trees *x, const struct shape *shape);
    const struct family *family;
    int count;                                                         /* of trees */
    bool nodes;                                                        /* tree t of the family is for nodes of t ranks */
    enum scan_way way;                                                 /* of scan_one_tree() */
    void (*maker)(struct tree *, const struct places *);               /* of any_tree_generate() */
    void (*pair)(struct tree_pair *, const struct places *, int root); /* the maker of tree_pair_scan() */
    const struct tree_pair_beat *beat;                                 /* of tree_pair_scan() */
};

/* ---- Trees that a formula gives --------------------------------------------------------------------------------------- */

/*
 * Binary trees over the nodes 0 .. m-1, m >= 1. `t` distinguishes the trees of a family. The hop of a node, 1 or 2, is the
 * number of steps of a broadcast from the first block's arrival at the node's parent to its arrival at the node. The hops of
 * two siblings differ. The hop of a root counts from step -1. So the root with hop 1 is fed first: with two trees, the root
 * of tree 1. No node has children in both trees.
 */
struct family {
    int (*root)(int m, int t);
    void (*children)(int m, int t, int x, int child[2]); /* left, right; NOBODY where there is none */
    int (*hop)(int m, int t, int x, int parent);         /* parent: NOBODY at the root */
    int (*height)(int m, int t);          /* most edges from the root to a leaf, or a bound; for scan_one_tree() alone */
    int (*position)(int m, int t, int x); /* where node x is in the order of the tree; NULL: the tree is in-order */
};

/* The hops of a tree whose edges are all alike: 1 to a left child and to the root, 2 to a right child. */
int hop_by_side(int m, int t, int x, int parent);

/*
 * For struct service: the broadcast; the reduction; and the allreduce, which is the reduction to rank 0, then the broadcast
 * from rank 0. They take x->count, 1 or 2, trees of x->family. All ranks but the root are the nodes of the trees: x = (rank
 * - root - 1) mod p. For ordered shapes every tree must be in-order; if their root is interior, rank 0 computes the result,
 * and sends each block on as soon as it is finished.
 */
void trees_generate(struct schedule *s);
struct round_bound trees_round_bound(const struct trees *x, const struct shape *shape);

/* How fast the blocks of a scan go: the steps of hops of length 1 and 2. */
struct gait {
    int64_t origin; /* the step from which hops count, as if a prefix arrived at the root in it */
    int down[2];    /* from the prefix's arrival at the parent to its arrival at the child */
    int up[2];      /* from the child's sending up to the parent's sending up */
};

/*
 * A rank's edges in the in-order tree t over all ranks. Where a parent sends nothing up, a left child sends up one step
 * after the prefix's arrival at the parent; or one step before, if the child's hop is 2.
 */
struct tree_view tree_scan_view(const struct family *f, const struct gait *gait, int ranks, int t, int rank);

/*
 * For struct service: scans over one tree of x->family, with hops by side, in slots T0 .. T2. The tree is U or, with
 * x->nodes, the tree for nodes of shape->node_ranks ranks. The exclusive scan keeps its input.
 */
void scan_one_tree(struct schedule *s);
struct round_bound scan_one_tree_round_bound(const struct trees *x, const struct shape *shape);
