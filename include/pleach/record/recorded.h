/* SPDX-License-Identifier: BSD-2-Clause */
/* What is kept for each communicator by those who tell of its calls: records and the watch. No agreement looks at it. */
#ifndef PLEACH_RECORDED_H
#define PLEACH_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

struct recorded {
    uint64_t id;      /* as in struct rank_call; 0: none, or not known before the first call that is recorded */
    int64_t calls;    /* valid ones that were recorded */
    uint64_t entered; /* intercepted calls, counted where PLEACH_PATIENCE is set */
    int *world;       /* of each rank, its rank in MPI_COMM_WORLD; likewise; NULL: not known. From malloc() */
};

/*
 * A number for a communicator at its first call that is recorded: the same on all its ranks, and another on every other
 * communicator of this program, as far as a hash can tell. `group`: a hash of its processes and their order; 0: not known.
 * `ordered`: such first calls come in the same order on all ranks, as they do where one thread makes them. Returns 0 where
 * there is no such number.
 */
uint64_t recorded_id(uint64_t group, bool ordered);

#endif
