/* SPDX-License-Identifier: BSD-2-Clause */
/* A communicator's data for records and for the watch on hanging calls. No agreement depends on them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct comm_record {
    uint64_t id;      /* `comm` of struct rank_call; 0: none, or no call was recorded yet */
    int64_t calls;    /* recorded calls that were valid */
    uint64_t entered; /* intercepted calls; counted only with PLEACH_PATIENCE */
    int *world;       /* each rank's rank in MPI_COMM_WORLD, from malloc(), if PLEACH_PATIENCE is set; NULL: unknown */
};

/*
 * Makes the id of a communicator at its first recorded call. `group`: a hash of its processes and their order; 0: unknown.
 * `ordered`: all ranks make the first calls on their communicators in the same order, as with one thread. Returns 0 (no id)
 * if ranks could make different ids, or if there are too many groups.
 */
uint64_t comm_record_id(uint64_t group, bool ordered);
