/* SPDX-License-Identifier: BSD-2-Clause */
/* Broadcast and reduction over one or two pipelined in-order binary trees. An engine gives the trees; see trees.c. */
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
 * For struct service: the broadcast, and the reduction, which is the broadcast with time reversed. The others than the root
 * are the nodes x = (rank - root - 1) mod p of the trees. In ordered shapes every tree must be in-order; the result of an
 * interior root is computed by rank 0, which sends each block on as it is finished.
 */
void trees_generate(const struct forest *f, struct schedule *s);
struct pace trees_pace(const struct forest *f, const struct shape *shape);

#endif
