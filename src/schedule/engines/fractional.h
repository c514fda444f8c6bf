/* SPDX-License-Identifier: BSD-2-Clause */
/* The fractional tree: its groups, its depth and a node's place; see fractional.c. */
#ifndef PLEACH_FRACTIONAL_H
#define PLEACH_FRACTIONAL_H

#include "engine.h"

/*
 * r: what the shape fixes, or what takes the fewest rounds or close to it. Where the tree is a chain, at least p and n.
 * `hop`: the rounds that a step of the depth costs, 1, or 2 in the simplex variant; if r = 1 or in a chain, 1 at any rate.
 */
int64_t fractional_group(const struct shape *shape, int hop);

/* The k-th of the group sizes that are tried: 1, 2, 3, 4, 6, 8, 12, .. for k = 1, 2, .. */
int64_t fractional_candidate(int k);

/* d: in a tree of p >= 2 ranks, the step in which the first packet reaches the last of them. */
int64_t fractional_depth(int p, int64_t r);

/* Where a node stands. */
struct fractional_node {
    int64_t first;   /* the step in which it gets packet 0; -1: the root */
    int member;      /* i, its number in its group */
    int feeder;      /* it gets its packets from this node, or (by_group) from the group of which this is the head */
    bool by_group;   /* packet l of each run then comes from member l */
    int down, right; /* its successors, or NOBODY; who has a right one has a down one, too */
    int level;       /* groups between the root and its own, which is number `level` of them; the root's is number 0 */
    uint64_t turns;  /* bit j: the way leads right from group j, not down */
    uint64_t forks;  /* bit j: group j has a right successor */
};

/* The place of node v; node numbers begin with the root. */
struct fractional_node fractional_find(int p, int64_t r, int v);

/* Ranks of which the first follows the last. */
struct fractional_ring {
    int first, size;
};

/*
 * Broadcast and reduction by groups of r. The node's feeder and successors are ranks here. The feeder's group, if it comes
 * from one, follow each other in the ring. The tree's depth is d.
 */
void fractional_start(struct schedule *s, const struct fractional_node *node, struct fractional_ring ring, int64_t r,
                      int64_t depth);
struct round_bound fractional_round_bound(const struct shape *shape, int64_t r, int64_t depth);

/*
 * For a reduction: combines what came from the down successor, in `slot`, with this rank's own. Returns the slot of the
 * result, with which what comes from the right successor has yet to be combined.
 */
int fractional_combine(struct cursor *c, const struct schedule *s, int slot, bool root, int64_t block);

#endif
