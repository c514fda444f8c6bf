/* SPDX-License-Identifier: BSD-2-Clause */
/* Pivots: hosts of a sample that lie far from each other; see infer_pivots.c. */
#ifndef PLEACH_INFER_PIVOTS_H
#define PLEACH_INFER_PIVOTS_H

#include "infer_work.h"

enum {
    FEWEST_HOSTS = 4,  /* fewest hosts of a place that is split */
    PINGS_SUREST = 30, /* pings of a probe if a busy host must not go unnoticed */
};

/* The seconds of the shortest round trip between a host of the sample and pivot number `pivot`. */
static inline double *rtt_of(const struct set *s, int host, int pivot)
{
    return &s->rtt[host * PIVOTS + pivot];
}

/* Returns the number of the pivot that is nearest to a host, among the first `pivots` pivots. */
static inline int nearest_pivot(const struct set *s, int host, int pivots)
{
    int nearest = 0;
    for (int k = 1; k < pivots; k++)
        if (*rtt_of(s, host, k) < *rtt_of(s, host, nearest))
            nearest = k;
    return nearest;
}

/* May the place have parts? */
static inline bool may_split(const struct work *w, const struct set *s)
{
    return s->count >= FEWEST_HOSTS && w->place[s->row].level < w->depth;
}

/* Finds the first pivot of each set. Returns false if the prober gives up. */
bool infer_first_pivots(struct work *w);

/* Finds the other pivots of all sets that are open, and sets their far[]. Returns false if the prober gives up. */
bool infer_find_pivots(struct work *w);

/* Begins the search for the pivots of a set anew, without this host, a pivot that has turned out to be busy. */
void infer_pivots_without(struct work *w, struct set *s, int host);

#endif
