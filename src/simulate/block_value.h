/* SPDX-License-Identifier: BSD-2-Clause */
/* The values that simulated blocks have. */
#pragma once

#include "schedule.h"

/*
 * In a broadcast, lo = hi = the block. Ordered: the first and last combined rank. Else: their number and the sum of their
 * random weights; that of ranks 0 .. r shows that each was combined once (but for a chance of 2^-64).
 */
struct sim_value {
    bool set;
    int64_t tag; /* in a scratch slot or cell: the block there */
    int64_t lo, hi;
    uint64_t weight, count;
};

struct sim_value sim_operand(int rank);

struct sim_value sim_block(int64_t block);

/* *b = a (+) *b; false if out of order. */
bool sim_fold(const struct shape *s, const struct sim_value *a, struct sim_value *b);

/* Sums over ranks 0 .. i-1, i = 0 .. ranks; for free(). Or NULL. */
uint64_t *sim_weights(int ranks);

/* Is block j of the rank's result right? True without a result. */
bool sim_right(const struct shape *s, const uint64_t *weights, int rank, int64_t j, const struct sim_value *x);
