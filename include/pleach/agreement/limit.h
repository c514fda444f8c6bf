/* SPDX-License-Identifier: BSD-2-Clause */
/* A limit on the time of measuring. Ranks share the time passed with each result, so all stop at the same point. */
#pragma once

#include "seconds.h"

#include <stdbool.h>

struct limit {
    double start;  /* seconds_now() when the ranks began together */
    double most;   /* seconds, or INFINITY; from here on the same on all ranks */
    double passed; /* the most seconds on any rank at the last result */
    bool reached;  /* some work has been left out */
};

/* Seconds so far on this rank, which ranks share with each result. */
static inline double limit_passed(const struct limit *l)
{
    return seconds_now() - l->start;
}

/* Are fewer than `seconds` left? Then leave out work that takes so long. The same on all ranks. */
static inline bool limit_lacks(struct limit *l, double seconds)
{
    const bool lacks = l->passed >= l->most || l->passed + seconds > l->most;
    l->reached |= lacks;
    return lacks;
}
