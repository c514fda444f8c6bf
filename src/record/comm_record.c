/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An id follows from the group and the communicator's number among the group's, by first calls. Collective calls have one
 * order on all ranks; with several threads there is none, and only a group's first communicator has an id.
 */
#include "comm_record.h"

#include "hash.h"
#include "hold.h"

enum { GROUPS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint64_t hash;
    uint64_t comms;
} group[GROUPS];

/* How many the group had; -1: no room. */
static int64_t number_of(uint64_t hash)
{
    HOLD(lock);
    for (int i = 0; i < GROUPS; i++) {
        const int at = (int)((hash + (uint64_t)i) % GROUPS);
        if (group[at].hash && group[at].hash != hash)
            continue;
        group[at].hash = hash;
        return (int64_t)group[at].comms++;
    }
    return -1;
}

uint64_t comm_record_id(uint64_t group, bool ordered)
{
    const int64_t number = group ? number_of(group) : -1;
    return number < 0 || (number > 0 && !ordered) ? 0 : mix64(group + (uint64_t)number) | 1;
}
