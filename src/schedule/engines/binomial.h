/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive doubling along a line of ranks: what the engines binomial and mesh share; see binomial.c. */
#ifndef PLEACH_BINOMIAL_H
#define PLEACH_BINOMIAL_H

#include "engine.h"

/* A rank's place in a tree over all ranks, and how far its schedule is made. */
struct binomial {
    const struct shape *shape;
    int top;        /* the rank at position 0, from where a broadcast comes and where a reduction goes */
    bool down;      /* position v is rank top - v; else (top + v) mod p */
    int v;          /* this rank's position; set by binomial_begin() */
    int64_t period; /* steps between two blocks */
    int slot;       /* reduction: where this rank's partial result lies; set by binomial_begin() */
};

/* Positions first, first + stride, ..; `count` of them. */
struct line {
    int first, stride, count;
};

void binomial_begin(struct binomial *d, int rank);

/* The lanes of a rank on the line: block 0 goes from its first position to all in steps step .. step+ceil(log2 count)-1. */
void binomial_bcast(struct schedule *s, const struct binomial *d, struct line line, int64_t step);

/* The same with time reversed: partial results are combined, in the order of the positions, at the first one. */
void binomial_reduce(struct schedule *s, struct binomial *d, struct line line, int64_t step);

/* For position 0 of a reduction, if it is the root: after the last line, the result goes to OUT. */
void binomial_finish(struct schedule *s, const struct binomial *d);

/* The engine binomial's scan and exclusive scan; see binomial_scan.c. */
void binomial_scan_start(struct schedule *s, const struct shape *shape, int rank);
void binomial_exscan_start(struct schedule *s, const struct shape *shape, int rank);
struct pace binomial_scan_pace(const struct shape *s);

#endif
