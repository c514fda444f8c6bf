/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive doubling along a row of positions: what the engines binomial and mesh share; see binomial_tree.c. */
#ifndef PLEACH_BINOMIAL_TREE_H
#define PLEACH_BINOMIAL_TREE_H

#include "engine.h"

/* A rank's place in a tree over all ranks, and how far its schedule is made. */
struct binomial_tree {
    const struct shape *shape;
    int top;        /* the rank at position 0, from where a broadcast comes and where a reduction goes */
    bool down;      /* position v is rank top - v; else (top + v) mod p */
    int v;          /* this rank's position; set by binomial_tree_begin() */
    int64_t period; /* steps between two blocks */
    int slot;       /* reduction: where this rank's partial result lies; set by binomial_tree_begin() */
};

/* Positions first, first + stride, ..; `count` of them. */
struct positions {
    int first, stride, count;
};

void binomial_tree_begin(struct binomial_tree *d, int rank);

/* Adds the lanes of a rank: block 0 goes from the first position to all in steps step .. step + ceil(log2 count) - 1. */
void binomial_tree_bcast(struct schedule *s, const struct binomial_tree *d, struct positions positions, int64_t step);

/* The same with time reversed: partial results are combined, in the order of the positions, at the first one. */
void binomial_tree_reduce(struct schedule *s, struct binomial_tree *d, struct positions positions, int64_t step);

/* For position 0 of a reduction, if it is the root: after the last row, the result goes to OUT. */
void binomial_tree_finish(struct schedule *s, const struct binomial_tree *d);

/* The engine binomial's broadcast and reduction: one tree over all ranks. */
void binomial_bcast(struct schedule *s);
void binomial_reduce(struct schedule *s);
struct round_bound binomial_round_bound(const struct shape *s);

#endif
