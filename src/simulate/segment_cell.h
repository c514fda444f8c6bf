/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cells for the simulator of segments, of one spot. A cell keeps values of blocks, and the last accesses of all ranks. An
 * access has a clock: the number of the rank's steps at that time. The vector clock of a rank says which accesses come
 * before its next step.
 */
#pragma once

#include "block_value.h"

/* The room of a block in a cell, and the last write to it in the cell's round. */
struct place_in_cell {
    struct sim_value value;
    int writer;
    int64_t written; /* the writer's clock; -1: no write yet */
};

struct used_cell {
    int ranks;
    int64_t wide;    /* number of places */
    int64_t round;   /* the round that has the cell; -1: none yet */
    int64_t *before; /* for each rank: clock of its last access in earlier rounds */
    int64_t *reads;  /* [place][rank]: clock of its last read in this round; -1: none */
    struct place_in_cell *place;
};

/* Makes a cell that no round has yet. Returns false if memory is short; cell_drop() frees what there is. */
bool cell_make(struct used_cell *c, int ranks, int64_t wide);

void cell_drop(struct used_cell *c);

/* Begins a round in a cell: all accesses to the cell so far now count as accesses in earlier rounds. */
void cell_begin_round(struct used_cell *c, int64_t round);

/*
 * Another rank whose last read of place i, or last access to the cell in earlier rounds, does not come before this rank's
 * step; NOBODY if there is none. `clock`: this rank's vector clock.
 */
int cell_user(const struct used_cell *c, int64_t i, int rank, const int64_t *clock);

/* The other rank whose last write to place i does not come before this rank's step; NOBODY if there is none. */
int cell_writer(const struct used_cell *c, int64_t i, int rank, const int64_t *clock);

/* Notes the rank's write to place i, or its read, and returns the value there. */
struct sim_value *cell_write(struct used_cell *c, int64_t i, int rank, const int64_t *clock);
struct sim_value *cell_read(struct used_cell *c, int64_t i, int rank, const int64_t *clock);
