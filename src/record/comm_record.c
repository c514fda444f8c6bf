/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ids of communicators in reports; see comm_record.h.
 *
 * A communicator's id follows from its group and from its number among the group's communicators, in the order of their
 * first calls. All ranks make collective calls in the same order, so they make the same id. With several threads there is no
 * such order; then only the first communicator of a group has an id.
 */
#include "comm_record.h"

#include "hash.h"

#include <pthread.h>

enum { GROUPS = 1024 }; /* chosen by hand; communicators of further groups have no id */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards `group` */
static struct {
    uint64_t hash;  /* 0: free */
    uint64_t comms; /* communicators of this group so far */
} group[GROUPS];

/* Counts one more communicator of the group, and returns how many there were before; -1 if the table is full. */
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

uint64_t comm_record_id(uint64_t group, bool ordered)
{
    const int64_t number = group ? number_of(group) : -1;
    return number < 0 || (number > 0 && !ordered) ? 0 : mix64(group + (uint64_t)number) | 1;
}
