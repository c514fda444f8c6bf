/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast, reduction and allreduce over one or two pipelined in-order binary trees. An engine gives the trees; see
 * trees.c.
 */
#ifndef PLEACH_TREES_H
#define PLEACH_TREES_H

#include "engine.h"

/*
 * Binary trees over the nodes 0 .. m-1, m >= 1; `t` is the number of the tree, from 0. The hop of a node, 1 or 2, is the
 * number of steps of a broadcast from the first block's arrival at the node's parent to its arrival at the node. The hops of
 * two siblings differ. The hop of a root counts from step -1. So the root with hop 1 is fed first: with two trees, the root
 * of tree 1. No node has children in both trees.
 */
struct forest {
    int trees;                          /* 1 or 2 */
    int (*parent)(int m, int t, int x); /* -1 at the root */
    int (*root)(int m, int t);
    int (*hop)(int m, int t, int x);
    void (*children)(int m, int t, int x, int child[2]); /* left, right; -1 where there is none */
};

/*
 * For struct service: the broadcast; the reduction, which is the broadcast with time reversed; and the allreduce, which is
 * the reduction to rank 0 and then the broadcast from there. The ranks but for the root are the nodes of the trees: x =
 * (rank - root - 1) mod p. For ordered shapes every tree must be in-order. Then rank 0 computes the result of an interior
 * root, and sends each block on as soon as it is finished.
 */
void trees_generate(const struct forest *f, struct schedule *s);
struct round_bound trees_round_bound(const struct forest *f, const struct shape *shape);

/* ---- Shared with other reductions over in-order trees --------------------------------------------------------------- */

/* How the steps of a reduction follow from those of the broadcast that it reverses. */
struct clock {
    int64_t end;  /* the step behind the broadcast's last */
    int dilation; /* 1; or 2: every step counts twice, so that an interior root's blocks can be sent on */
};

/* Sets the times of a lane that reverses an edge of a broadcast, of period 2. The edge has its first block in step d. */
struct lane trees_timed(struct lane lane, const struct clock *c, int64_t d);

/*
 * A rank in a tree of a forest or of a tree pair. The steps are those of a broadcast in which the j-th block of the tree
 * passes an edge 2j steps after the first. NOBODY: there is no such rank, and the step of its edge has no meaning.
 */
struct tree_view {
    int parent, child[2];        /* ranks; a source, which feeds the trees and is in none, has the tree's root as a child */
    int64_t down, child_down[2]; /* steps in which the first block comes from the parent, and goes to the children */
    struct lane share;           /* the blocks that the tree carries, in steps of period 2 */
};

/* Adds the rank's lanes in the broadcast, whose first step is number `start`. */
void tree_bcast(struct schedule *s, const struct tree_view *x, int64_t start);

/*
 * Adds the rank's lanes in the reduction. The blocks of its children, combined with IN, go to its parent; they lie in slots
 * from T(base) on, see trees.c. The rank without a parent has the result, and sends it on if it is not the root.
 */
void tree_reduce(struct schedule *s, const struct tree_view *x, const struct clock *c, int base);

/*
 * Adds the root's lane for the result that `source` sends on, of the blocks of `share`. d: the source feeds that tree from
 * step d on.
 */
void tree_take_result(struct schedule *s, struct lane share, const struct clock *c, int64_t d, int source);

#endif
