/* SPDX-License-Identifier: BSD-2-Clause */
/* The sums behind the advice; see advice.h. */
#pragma once

#include "job.h"

/* The sorts of reasons for native calls. Reasons that mean the same to the user share a sort. */
enum sort { SORT_SMALL, SORT_FAST, SORT_CROWDED, SORT_ALONE, SORT_KEPT, SORTS };

/*
 * Seconds that were saved or, in a dry run, would be; < 0: lost. Waiting of ranks for each other does not count: no engine
 * shortens it.
 */
struct claim {
    double least, likely, most; /* sums of predicted savings, and of those measured savings that exceed the noise */
    double measured;            /* the part of `likely` that trials measured; the model predicts the rest */
    double unclear;             /* measured differences below the noise; not in the other fields */
};

/* The seconds that all ranks together save in the calls of `part`, a group of BY_SIZE_AND_SITE. */
struct claim claim_of(const struct job *j, const struct job_group *part);

/* Can times tell what a run that was not dry has gained? Not if calls were verified, or if ranks took turns on cores. */
bool gain_is_known(const struct job *j);

/* The likely seconds that all ranks together save in a collective. */
double saved_by(const struct job *j, enum collective c);

/* The end of these groups. */
static inline const struct job_group *parts_end(const struct job *j)
{
    return j->group[BY_SIZE_AND_SITE] + j->groups[BY_SIZE_AND_SITE];
}

/* The group of BY_SIZE with this collective and size; NULL: none. */
const struct job_group *size_group(const struct job *j, enum collective c, int size);

/* The numbers behind the advice. All seconds but those of `run` are means over the ranks. */
struct advice_totals {
    double ranks;         /* ranks that have reported, at least 1 */
    double run;           /* seconds of the longest run of a rank, without the trials of a dry run, but at least `calls` */
    double calls;         /* seconds of calls of collectives that Pleach serves */
    struct claim saved;   /* in these calls */
    double native[SORTS]; /* seconds of calls that stayed native or, in a dry run, would have */
    enum reason kept;     /* the reason that has most of native[SORT_KEPT] */
    double waited;        /* seconds in `calls` in which ranks waited for others */
    int64_t served;       /* calls of all ranks that engines served or, in a dry run, would have served */
    bool shares;          /* shared memory carried some of these, inside nodes or on the only one */
    bool tried, modelled; /* trials, or the model, contribute to `saved` */
};

struct advice_totals sums_of(const struct job *j);
