/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics of times. Pure. */
#pragma once

#include "engine.h"

struct repetition {
    double seconds; /* latest start to latest end */
    bool together;  /* with close starts; else `seconds` may be too small, even 0 */
};

struct timing {
    const struct engine *engine;
    int64_t blocks; /* 0 for native */
    bool right;     /* the native result */
    int count;
    double least, median, most;
    double sound; /* the least of those together, or of all */
    double quartile;
    double spread; /* (quartile - min(sound, median)) / median */
};

/* From `count` >= 1 repetitions, which it sorts. */
void timing_set(struct timing *t, struct repetition *r, int count);

/* Are the repetitions too different? */
bool timing_noisy(const struct timing *t);

/* The least median with right results, else the first. */
const struct timing *timing_best(const struct timing *timing, int count);

/* Median time of the library's choice over the least of all; 1: the best. */
struct regret {
    int count;
    double median, most; /* 0: no calls */
};

/* Sorts the regrets. */
struct regret regret_of(double *each, int count);
