/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A limit on the time of measuring. Whenever ranks share a result, they also share the time that has passed. So all ranks
 * stop at the same point, even if their clocks differ.
 */
#pragma once

#include "seconds.h"

#include <stdbool.h>

struct limit {
    double start;  /* seconds_now() on this rank when the ranks began together */
    double most;   /* seconds; INFINITY: no limit. This field and the next ones are the same on all ranks */
    double passed; /* the most seconds that had passed on any rank when the ranks last shared a result */
    bool reached;  /* some work has been left out */
};

/* The seconds that have passed on this rank. The ranks share them with each result. */
static inline double limit_passed(const struct limit *l)
{
    return seconds_now() - l->start;
}

/* Are fewer than `seconds` seconds left? Then the caller leaves out work that takes this long. The same on all ranks. */
static inline bool limit_lacks(struct limit *l, double seconds)
{
    const bool lacks = l->passed >= l->most || l->passed + seconds > l->most;
    l->reached |= lacks;
    return lacks;
}
