/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast, reduction and allreduce over one or two pipelined in-order binary trees. An engine gives the trees; see
 * trees.c.
 */
#ifndef PLEACH_TREES_H
#define PLEACH_TREES_H

#include "engine.h"

/*
 * Binary trees over the nodes 0 .. m-1, m >= 1; `t` numbers the tree from 0. A hop is the number of steps, 1 or 2, between
 * the first block's arrival at a node's parent and at the node, in a broadcast. The hops of two siblings differ. The hop of
 * a root counts from the step before the first. So the root with hop 1 is fed first: with two trees, that of tree 1. No node
 * has children in both of two trees.
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
 * the reduction to rank 0 and then the broadcast from there. The others than the root are the nodes x = (rank - root - 1)
 * mod p of the trees. In ordered shapes every tree must be in-order; the result of an interior root is computed by rank 0,
 * which sends each block on as it is finished.
 */
void trees_generate(const struct forest *f, struct schedule *s);
struct round_bound trees_round_bound(const struct forest *f, const struct shape *shape);

/*
 * What other reductions over in-order trees share.
 *
 * A reduction's place in time: the step in which the broadcast that it reverses would be over, and 1; or 2, where every step
 * takes two, so that an interior root's blocks can be sent on.
 */
struct clock {
    int64_t end;
    int dilation;
};

/* Sets the times of a lane from the step of the first block in the broadcast's edge that it reverses, of period 2. */
struct lane trees_timed(struct lane lane, const struct clock *c, int64_t d);

/*
 * A rank in a tree, be that one of a forest or of a tree pair. Steps are those of a broadcast in which the j-th block of the
 * tree passes an edge 2j steps after the first. NOBODY stands for who is not there; the steps of his edge have no meaning.
 */
struct tree_view {
    int parent, child[2];        /* ranks; a rank that feeds the trees and is in none has the tree's root as a child */
    int64_t down, child_down[2]; /* steps in which the first block comes from the parent, and goes to the children */
    struct lane share;           /* the blocks that the tree carries, in steps of period 2 */
};

/* Adds the rank's lanes in the broadcast, of which step 0 has that number. */
void tree_bcast(struct schedule *s, const struct tree_view *x, int64_t start);

/*
 * Adds the rank's lanes in the reduction: from its children, combined with IN, to its parent, in slots from T(base) on; see
 * trees.c. The rank without a parent has the result, and sends it on if it is not the root.
 */
void tree_reduce(struct schedule *s, const struct tree_view *x, const struct clock *c, int base);

/* Adds the root's lane for what `source` sends on, of a tree that it feeds from step d on. */
void tree_take_result(struct schedule *s, struct lane share, const struct clock *c, int64_t d, int source);

#endif
