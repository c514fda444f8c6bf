/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive doubling along a line of ranks: what the engines binomial and mesh share; see binomial.c. */
#ifndef PLEACH_BINOMIAL_H
#define PLEACH_BINOMIAL_H

#include <pleach/engine.h>

/* A rank's place in a tree over all ranks, and how far its schedule is made. */
struct doubling {
    const struct shape *shape;
    int top;        /* the rank at position 0, from where a broadcast comes and where a reduction goes */
    bool down;      /* position v is rank top - v; else (top + v) mod p */
    int v;          /* this rank's position; set by doubling_begin() */
    int64_t period; /* steps between two blocks */
    int slot;       /* reduction: where this rank's partial result lies; set by doubling_begin() */
};

/* Positions first, first + stride, ..; `count` of them. */
struct line {
    int first, stride, count;
};

void doubling_begin(struct doubling *d, int rank);

/* The lanes of a rank on the line: block 0 goes from its first position to all in steps step .. step+ceil(log2 count)-1. */
void doubling_bcast(struct schedule *s, const struct doubling *d, struct line line, int64_t step);

/* The same with time reversed: partial results are combined, in the order of the positions, at the first one. */
void doubling_reduce(struct schedule *s, struct doubling *d, struct line line, int64_t step);

/* For position 0 of a reduction, if it is the root: after the last line, the result goes to OUT. */
void doubling_finish(struct schedule *s, const struct doubling *d);

#endif
