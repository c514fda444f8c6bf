/* SPDX-License-Identifier: BSD-2-Clause */
/* What an advice says, in numbers; see advice.h. */
#ifndef PLEACH_ADVICE_SUMS_H
#define PLEACH_ADVICE_SUMS_H

#include "job.h"

/* Why calls stay native, in sorts that matter to the user. */
enum sort { SORT_SMALL, SORT_FAST, SORT_CROWDED, SORT_ALONE, SORT_KEPT, SORTS };

/* Seconds that would be saved; < 0: lost. No engine shortens the waiting of ranks for each other, so it does not count. */
struct claim {
    double least, likely, most; /* of what is clear: more than the noise, where it was measured */
    double measured;            /* of `likely`, what trials measured; the rest is the model's */
    double unclear;             /* measured, and less than the noise: no difference; not in the others */
};

/* Do trials of calls of the group, if any, speak for all of it? Else the model speaks for the rest. */
bool trials_speak(const struct job_group *g);

/* What all ranks together would save in the calls of a group. */
struct claim claim_of(const struct job_group *g);

/* The same of a collective, size by size, or of all (COLLECTIVES). */
struct claim claim_by(const struct job *j, int collective);

/* The numbers of the tables, of a rank on average. */
struct advice_totals {
    double ranks, run, calls; /* run, calls: seconds of the run and of the calls that are served */
    struct claim saved;       /* in the calls */
    double native[SORTS];     /* seconds of calls that would have stayed native */
    enum reason kept;         /* why most of SORT_KEPT do */
    double waited;            /* seconds of the calls' */
    int64_t served;           /* calls of all ranks that an engine would have served */
    bool tried, modelled;     /* do trials, does the model tell something of `saved`? */
};

struct advice_totals sums_of(const struct job *j);

#endif
