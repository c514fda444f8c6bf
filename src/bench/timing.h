/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics of measured times. Pure. */
#pragma once

#include "engine.h"

/* One timed call. */
struct repetition {
    double seconds; /* from the latest start to the latest end */
    bool together;  /* the ranks' starts were close enough; if false, `seconds` may be too small, even 0 */
};

/* The measurements of native, of an engine, or of the library's choice. */
struct timing {
    const struct engine *engine;
    int64_t blocks;             /* number of blocks; 0 for native */
    bool right;                 /* true if the result was that of the native call */
    int count;                  /* number of repetitions */
    double least, median, most; /* seconds */
    double sound;               /* seconds; the least of the repetitions that began together, or of all if none did */
    double quartile;            /* seconds; the upper quartile */
    double spread;              /* (quartile - min(sound, median)) / median */
};

/* Sets t->count and the statistics from `count` >= 1 repetitions. Sorts the repetitions. */
void timing_set(struct timing *t, struct repetition *r, int count);

/* Returns true if the repetitions differ so much that they are noise. */
bool timing_noisy(const struct timing *t);

/* Returns the timing with the least median among those with right results. Returns the first one if none is right. */
const struct timing *timing_best(const struct timing *timing, int count);

/* Regret: the median time of the library's choice over the least median of all; 1 if the choice was the best. */
struct regret {
    int count;           /* number of calls */
    double median, most; /* 0 if there are no calls */
};

/* Summarises the regrets of `count` calls. Sorts the regrets. */
struct regret regret_of(double *each, int count);
