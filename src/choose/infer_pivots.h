/* SPDX-License-Identifier: BSD-2-Clause */
/* Pivots: hosts of a sample, each far from the others; see infer_pivots.c. */
#ifndef PLEACH_INFER_PIVOTS_H
#define PLEACH_INFER_PIVOTS_H

#include "infer_work.h"

enum {
    FEWEST_HOSTS = 4,  /* of a place that is split */
    PINGS_SUREST = 30, /* where a busy host must not go unnoticed */
};

/* Seconds between two hosts of the sample, of which the second is a pivot. */
static inline double *rtt_of(const struct set *s, int host, int pivot)
{
    return &s->rtt[host * PIVOTS + pivot];
}

/* The nearest of the first so many pivots. */
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

/* Finds the first pivot of all sets; false: the prober gave up. */
bool infer_first_pivots(struct work *w);

/* Finds the other pivots, and far[], of all sets that are open. */
bool infer_find_pivots(struct work *w);

/* Begins anew without this host, a pivot that has turned out to be busy. */
void infer_pivots_without(struct work *w, struct set *s, int host);

#endif
