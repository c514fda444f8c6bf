/* SPDX-License-Identifier: BSD-2-Clause */
/* The values that simulated blocks have. */
#pragma once

#include "schedule.h"

/*
 * The content of a block. In a broadcast, lo = hi = the number of the block. In ordered shapes, lo and hi are the first and
 * the last of the combined ranks. In other shapes, count and weight are the number of the combined ranks and the sum of
 * their random weights. If the sum is that of the ranks 0 .. r, each of these ranks was combined once (but for one chance in
 * 2^64).
 */
struct sim_value {
    bool set;
    int64_t tag; /* in a scratch slot or a cell: number of the block that lies there */
    int64_t lo, hi;
    uint64_t weight, count;
};

struct sim_value sim_operand(int rank);

/* A block of a broadcast. */
struct sim_value sim_block(int64_t block);

/* Folds: *b = a (+) *b. False if the order of the shape forbids it. */
bool sim_fold(const struct shape *s, const struct sim_value *a, struct sim_value *b);

/* Sums of weights: the i-th is that of ranks 0 .. i-1, i = 0 .. ranks. The caller frees them. NULL if memory runs out. */
uint64_t *sim_weights(int ranks);

/* Does block j of the rank's result have the value that MPI promises? True if the rank has no result. */
bool sim_right(const struct shape *s, const uint64_t *weights, int rank, int64_t j, const struct sim_value *x);
