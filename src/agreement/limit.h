/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The time that measuring may take. Ranks agree on the time passed with each result that they share. So all ranks agree on
 * when it is over, whatever their clocks say.
 */
#ifndef PLEACH_LIMIT_H
#define PLEACH_LIMIT_H

#include "seconds.h"

#include <stdbool.h>

struct limit {
    double start;  /* seconds_now() on this rank, when all had come */
    double most;   /* seconds; INFINITY: as long as it takes. The same on all ranks, as is what follows */
    double passed; /* seconds passed when they last shared a result, on the rank with the most */
    bool reached;  /* something has been left out */
};

/* Seconds that have passed on this rank, to be shared. */
static inline double limit_passed(const struct limit *l)
{
    return seconds_now() - l->start;
}

/* Is the time left less than so many seconds? Then the caller leaves that work out. The same on all ranks. */
static inline bool limit_lacks(struct limit *l, double seconds)
{
    const bool lacks = l->passed >= l->most || l->passed + seconds > l->most;
    l->reached |= lacks;
    return lacks;
}

#endif
