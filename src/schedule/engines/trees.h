/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast and reduction over one or two pipelined in-order binary trees: what the engines bintree, two-tree and
 * two-tree-mirror share. An engine gives the trees; see trees.c for the schedule.
 */
#ifndef PLEACH_TREES_H
#define PLEACH_TREES_H

#include "engine.h"

/*
 * Binary trees over the nodes 0 .. m-1, m >= 1; `t` numbers the tree from 0. A hop is the number of steps, 1 or 2, between
 * the first block's arrival at a node's parent and at the node, in a broadcast; the hops of two siblings differ. The hop of
 * a root counts from the step before the first, so the root with hop 1 is fed first: with two trees, that of tree 1. No node
 * has children in both of two trees.
 */
struct forest {
    int trees;                          /* 1 or 2 */
    int (*parent)(int m, int t, int x); /* -1 at the root */
    int (*root)(int m, int t);
    int (*hop)(int m, int t, int x);
    void (*children)(int m, int t, int x, int child[2]); /* left, right; -1 where there is none */
};

/* Starts for struct service. The others than the root are the nodes x = (rank - root - 1) mod p of the trees. */
void trees_bcast(const struct forest *f, struct schedule *s);

/*
 * The broadcast with time reversed. In ordered shapes every tree must be in-order; the result of an interior root is
 * computed by rank 0, which sends each block on as it is finished.
 */
void trees_reduce(const struct forest *f, struct schedule *s);

/* The pace of the reduction, given that of the broadcast. */
struct pace trees_reduce_pace(const struct shape *shape, struct pace bcast);

#endif
