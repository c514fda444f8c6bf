/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What tells communicators apart in reports. Those of other ranks have another group. Of the same group, the first calls
 * come in the same order on all ranks, as collective calls do; so each rank gives them the same numbers. With threads there
 * is no such order: there the communicators of a group but the first have none.
 */
#include "comm.h"

#include "hash.h"
#include "lore.h"
#include "process.h"

#include <pthread.h>

enum { GROUPS = 1024 }; /* by hand; communicators of further groups have no number */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects what follows; never held across an MPI call */
static struct {
    uint64_t hash; /* 0: free */
    uint64_t comms;
} group[GROUPS];

/* How many communicators of the group there have been; -1: there is no room for it. */
static int64_t number_of(uint64_t hash)
{
    int64_t number = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < GROUPS && number < 0; i++) {
        const int at = (int)((hash + (uint64_t)i) % GROUPS);
        if (group[at].hash && group[at].hash != hash)
            continue;
        group[at].hash = hash;
        number = (int64_t)group[at].comms++;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

static uint64_t identity(const struct comm *c)
{
    const uint64_t hash = c->ranks > 1 && c->known.barred != REASON_INTERCOMM ? lore_group(c) : 0;
    const int64_t number = hash ? number_of(hash) : -1;
    return number < 0 || (number > 0 && process_threaded()) ? 0 : mix64(hash + (uint64_t)number) | 1;
}

uint64_t comm_count(struct comm *c, int64_t *number)
{
    if (c->counted == 0)
        c->id = identity(c);
    *number = c->counted++;
    return c->id;
}
