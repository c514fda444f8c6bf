/* SPDX-License-Identifier: BSD-2-Clause */
/* What an advice says, in numbers; see advice.h. */
#ifndef PLEACH_ADVICE_SUMS_H
#define PLEACH_ADVICE_SUMS_H

#include "job.h"

/* Why calls stay native, in sorts that the user has to be told apart. */
enum sort { SORT_SMALL, SORT_FAST, SORT_CROWDED, SORT_ALONE, SORT_KEPT, SORTS };

/* What the tables say, of a rank on average. */
struct sums {
    double ranks, run, calls, saved; /* run, calls: seconds of the run and of the calls that are served */
    double native[SORTS];            /* seconds of calls that would have stayed native */
    enum reason kept;                /* why most of SORT_KEPT do */
    double waited;                   /* seconds of the calls' */
    int64_t served;                  /* calls of all ranks that an engine would have served */
};

struct sums sums_of(const struct job *j);

/* Seconds that all ranks would save together in calls of which a part was waited. */
double saved_of(const struct tally *t, double waited);

/* The same of a collective, or of all (COLLECTIVES). */
double saved_by(const struct job *j, int collective);

#endif
