/* SPDX-License-Identifier: BSD-2-Clause */
/* The fractional tree: its groups, its depth and the neighbours of a node; see fractional.c. */
#pragma once

#include "engine.h"

/*
 * The group size r: as the shape fixes it, else of the fewest rounds, or hardly more. A chain: the larger of p and n. `hop`:
 * rounds of a step of the depth, 2 in the simplex variant, but 1 with r = 1 and in a chain.
 */
int64_t fractional_group(const struct shape *shape, int hop);

/* 1, 2, 3, 4, 6, 8, 12, .. for k = 1, 2, .. */
int64_t fractional_candidate(int k);

/* The depth d of a tree of p >= 2 ranks: the step in which the first packet reaches the last rank. */
int64_t fractional_depth(int p, int64_t r);

struct fractional_node {
    int64_t first;   /* the step in which it gets packet 0; -1: the root */
    int member;      /* i, its number in its group */
    int feeder;      /* the node from which it gets its packets; if by_group, the head of the group that feeds it */
    bool by_group;   /* packet l of each run comes from member l of the feeder's group */
    int down, right; /* its successors, or NOBODY; a node with a right successor has a down successor, too */
    int level;       /* the number of its group on the way from the root; the root's group is number 0 */
    uint64_t turns;  /* bit j: the way leads right from group j, not down */
    uint64_t forks;  /* bit j: group j has a right successor */
};

/* Node numbers begin with the root. */
struct fractional_node fractional_find(int p, int64_t r, int v);

/* Consecutive ranks; the first follows the last. */
struct fractional_ring {
    int first, size;
};

/*
 * Adds a node's lanes in a broadcast or a reduction by groups of r, in a tree of depth d. The node's feeder and successors
 * are ranks here. If a group feeds the node, the group's members follow each other in the ring.
 */
void fractional_lanes(struct schedule *s, const struct fractional_node *node, struct fractional_ring ring, int64_t r,
                      int64_t depth);
struct round_bound fractional_round_bound(const struct shape *shape, int64_t r, int64_t depth);
