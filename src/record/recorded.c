/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The numbers that tell communicators apart in reports; see recorded.h.
 *
 * Communicators of different ranks have different groups. Within a group, the first calls come in the same order on all
 * ranks, as collective calls do; so each rank gives them the same numbers. With threads there is no such order: then only
 * the first communicator of a group has a number.
 */
#include "recorded.h"

#include "hash.h"

#include <pthread.h>

enum { GROUPS = 1024 }; /* by hand; communicators of further groups have no number */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects what follows */
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

uint64_t recorded_id(uint64_t group, bool ordered)
{
    const int64_t number = group ? number_of(group) : -1;
    return number < 0 || (number > 0 && !ordered) ? 0 : mix64(group + (uint64_t)number) | 1;
}
