/* SPDX-License-Identifier: BSD-2-Clause */
/* The data that records and the watch keep for each communicator. No agreement looks at them. */
#ifndef PLEACH_RECORDED_H
#define PLEACH_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

struct recorded {
    uint64_t id;      /* as in struct rank_call; 0: none, or no call was recorded yet */
    int64_t calls;    /* recorded calls that were valid */
    uint64_t entered; /* intercepted calls; counted if PLEACH_PATIENCE is set */
    int *world;       /* each rank's rank in MPI_COMM_WORLD, from malloc(); set if PLEACH_PATIENCE is; NULL: not known */
};

/*
 * A number for a communicator at its first recorded call: the same on all its ranks, and unique among the communicators of
 * this program, as far as a hash can be. `group`: a hash of its processes and their order; 0: not known. `ordered`: such
 * first calls come in the same order on all ranks, as if one thread makes them. Returns 0 if there is no such number.
 */
uint64_t recorded_id(uint64_t group, bool ordered);

#endif
