/* SPDX-License-Identifier: BSD-2-Clause */
/* A communicator's data for records and for the watch. No agreement depends on them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct comm_record {
    uint64_t id;      /* see struct rank_call; 0: none, or not yet */
    int64_t calls;    /* recorded calls that were valid */
    uint64_t entered; /* intercepted calls; only with PLEACH_PATIENCE */
    int *world;       /* each rank's in MPI_COMM_WORLD, with PLEACH_PATIENCE, from malloc(); or NULL */
};

/*
 * Makes the id at the first recorded call. `group`: a hash of the processes and their order; 0: unknown. `ordered`: all
 * ranks make the first calls on their communicators in one order. Returns 0 if ids might differ, or if there are too many
 * groups.
 */
uint64_t comm_record_id(uint64_t group, bool ordered);
