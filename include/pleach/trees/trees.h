/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined binary trees: a rank's view, and the lanes that follow from it. See trees.c and scan_trees.c. */
#pragma once

#include "engine.h"

struct tree;
struct tree_pair;
struct tree_pair_beat;

enum { TREE_U, TREE_V };
enum { LEFT, RIGHT };

enum { NEVER = -1 };

struct tree_edge {
    int peer;          /* or NOBODY: there is no edge */
    int64_t down, up;  /* steps of the first block, up for scans; or NEVER */
    struct lane share; /* blocks, period, runs; see tree_share_out() */
};

extern const struct tree_edge no_edge;

/*
 * A rank in a tree. A source, which is in no tree, has the tree's root as a child. Reductions have the steps of the
 * broadcast that they reverse. In any_tree.c and fractional.c, the left child may stand for several, and the parent for
 * ranks that feed this one by turns (struct lane_run).
 */
struct tree_view {
    struct tree_edge parent, child[2]; /* [LEFT or RIGHT] */
    bool right_waits;                  /* in a reduction: the right child's block comes first and waits */
};

/* Part number `part` of the blocks, as a lane without peer, step and slot. */
struct lane tree_share(const struct shape *shape, int64_t period, int parts, int part);

void tree_share_out(struct tree_view *x, struct lane share);

/* ---- Lanes ----------------------------------------------------------------------------------------------------------- */

/* Adds the rank's lanes; `start` is the broadcast's first step. */
void tree_bcast(struct schedule *s, const struct tree_view *x, int64_t start);

/* How a reduction's steps follow from the broadcast's. */
struct clock {
    int64_t end;  /* behind the broadcast's last step */
    int dilation; /* 2: every step counts twice, so that blocks can be sent on to an interior root */
};

/* Times a lane that reverses an edge with its first block in step d. */
struct lane trees_timed(struct lane lane, const struct clock *c, int64_t d);

/*
 * Adds the rank's lanes. Its children's blocks are combined with IN, in slots from T(base) on. A rank without parent has the
 * result, and sends it on if it is not the root.
 */
void tree_reduce(struct schedule *s, const struct tree_view *x, const struct clock *c, int base);

/*
 * Adds the root's lane for the results that `source` sends on. `d`: the step in which `source` first feeds that share's
 * tree.
 */
void tree_receive_result(struct schedule *s, struct lane share, const struct clock *c, int64_t d, int source);

/* Slots of a scan; see scan_trees.c. */
struct scan_slots {
    uint8_t right, prefix; /* for R and P; one slot if never both are held */
    uint8_t spare;         /* not `right` + 1 if a hop may be as long as the period */
};

/*
 * Adds the rank's lanes. The tree is in-order, and the exclusive scan keeps its input. At a node the hop up from the right
 * child or down to the left child may be as long as the period, but not both; no hop is longer.
 */
void tree_scan(struct schedule *s, const struct tree_view *x, struct scan_slots slots);

/* Scans over a single tree of height h; the values are the periods. */
enum scan_way {
    SCAN_TWO_PHASE = 2, /* phase after phase: 4(n-1) + 4h - 2 rounds */
    SCAN_DOUBLY = 3     /* both at once, three edges by turns: 3(n-1) + 4h - 2 rounds */
};

/* What distinguishes engines that share functions of struct service. */
struct trees {
    struct round_bound (*round_bound)(const struct trees *x, const struct shape *shape);
    const struct family *family;
    int count;
    bool nodes;                                                        /* tree t of the family is for nodes of t ranks */
    enum scan_way way;                                                 /* of scan_one_tree() */
    void (*maker)(struct tree *, const struct places *);               /* of any_tree_generate() */
    void (*pair)(struct tree_pair *, const struct places *, int root); /* of tree_pair_scan() */
    const struct tree_pair_beat *beat;
};

/* ---- Trees that a formula gives --------------------------------------------------------------------------------------- */

/*
 * Binary trees over the nodes 0 .. m-1; `t` is the tree. A node's hop, 1 or 2, is the steps from a block's arrival at its
 * parent (step -1 for a root) to that at the node. Siblings differ in hop. Of two trees, the root of tree 1 has hop 1, and
 * no node has children in both.
 */
struct family {
    int (*root)(int m, int t);
    void (*children)(int m, int t, int x, int child[2]); /* left, right; or NOBODY */
    int (*hop)(int m, int t, int x, int parent);         /* parent: NOBODY at the root */
    int (*height)(int m, int t);                         /* or a bound; for scan_one_tree() alone */
    int (*position)(int m, int t, int x);                /* of x in the tree's order; NULL: in-order */
};

/* Hops: 1 to a left child and to the root, 2 to a right child. */
int hop_by_side(int m, int t, int x, int parent);

/*
 * For struct service: broadcast, reduction and allreduce over x->count trees of x->family. The nodes are the ranks but the
 * root, (rank - root - 1) mod p. Ordered shapes need in-order trees.
 */
void trees_generate(struct schedule *s);
struct round_bound trees_round_bound(const struct trees *x, const struct shape *shape);

/* The steps of hops of length 1 and 2 in a scan. */
struct gait {
    int64_t origin; /* as if a prefix arrived at the root in this step */
    int down[2];    /* from arrival at the parent to that at the child */
    int up[2];      /* from the child's sending up to the parent's */
};

/* A rank's edges in the in-order tree t over all ranks; see scan_trees.c. */
struct tree_view tree_scan_view(const struct family *f, const struct gait *gait, int ranks, int t, int rank);

/*
 * For struct service: scans over U of x->family, or with x->nodes the tree for nodes of shape->node_ranks; hops by side,
 * slots T0 .. T2. The exclusive scan keeps its input.
 */
void scan_one_tree(struct schedule *s);
struct round_bound scan_one_tree_round_bound(const struct trees *x, const struct shape *shape);
