/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cells of one spot: values of blocks, and all ranks' last accesses, by clock, the rank's number of steps. A rank's vector
 * clock says which accesses come before its next step.
 */
#pragma once

#include "block_value.h"

/* A block's room, and its last write in the cell's round. */
struct place_in_cell {
    struct sim_value value;
    int writer;
    int64_t written; /* by the writer's clock; -1: not yet */
};

struct used_cell {
    int ranks;
    int64_t wide;
    int64_t round;
    int64_t *before; /* by rank: clock of the last access in earlier rounds */
    int64_t *reads;  /* [place][rank]: clock of the last read in this round; -1: none */
    struct place_in_cell *place;
};

/* False if memory is short; cell_drop() frees in any case. */
bool cell_make(struct used_cell *c, int ranks, int64_t wide);

void cell_drop(struct used_cell *c);

/* Begins a round: all accesses so far are of earlier ones. */
void cell_begin_round(struct used_cell *c, int64_t round);

/* A rank whose last read of place i, or access in earlier rounds, is not before this step; or NOBODY. `clock`: of `rank`. */
int cell_user(const struct used_cell *c, int64_t i, int rank, const int64_t *clock);

/* A rank whose last write to place i is not before this step; or NOBODY. */
int cell_writer(const struct used_cell *c, int64_t i, int rank, const int64_t *clock);

struct sim_value *cell_write(struct used_cell *c, int64_t i, int rank, const int64_t *clock);
struct sim_value *cell_read(struct used_cell *c, int64_t i, int rank, const int64_t *clock);
