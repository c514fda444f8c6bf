/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes rules from measured times. Pure. */
#ifndef PLEACH_TUNING_H
#define PLEACH_TUNING_H

#include "engine.h"
#include "facts.h"

#include <stdio.h>

/* One timed call. */
struct repetition {
    double seconds; /* from the latest start to the latest end */
    bool together;  /* the ranks' starts were close enough; else `seconds` may be too small, even 0 */
};

/* The measurements of an engine with a size of blocks, or of native. */
struct timing {
    const struct engine *engine;
    int64_t block;              /* bytes; 0 for native */
    int64_t blocks;             /* their number; 0 for native */
    bool right;                 /* true if the result was that of the native call */
    int count;                  /* repetitions */
    double least, median, most; /* seconds */
    double sound;               /* seconds; the least of the repetitions that began together, or of all if none did */
    double quartile;            /* seconds; the upper quartile */
    double spread;              /* from the lesser of `sound` and `median` to `quartile`; in units of the median */
};

/* Sets count and the statistics from `count` >= 1 repetitions, which it sorts. */
void timing_set(struct timing *t, struct repetition *r, int count);

/* True if the repetitions differ so much that they are noise. */
bool timing_noisy(const struct timing *t);

/* The timing with the least median among those with right results; the first if none is right. */
const struct timing *timing_best(const struct timing *timing, int count);

/* Regret: the median time of the library's choice over that of the best one; 1 if the choice was the best. */
struct regret {
    int count;           /* of calls */
    double median, most; /* 0 if there are none */
};

/* Summarises the regrets of `count` calls; sorts them. */
struct regret regret_of(double *each, int count);

/* The winner for one size of a collective and class of operation. */
struct winner {
    enum collective collective;
    enum op_class op;
    int64_t bytes;
    const struct engine *engine; /* native if none beat it clearly; NULL if native's own time is noise */
    int64_t block;
    struct timing native, taken; /* of native and of the winner */
};

/*
 * Sets engine, block and times of *w from `count` timings; number 0 is native. `before`: the winner at the next smaller
 * size, or NULL. Among timings about as good as the best, the function prefers the engine and block of that winner, else
 * takes the first.
 */
void tuning_pick(struct winner *w, const struct timing *timing, int count, const struct winner *before);

/*
 * Writes rules, in the format of pleach-rules(5), for winners sorted by collective, class of operation and ascending size.
 * They are for communicators of so many ranks, at most `node_ranks` of them on a node. The winner at `largest` bytes, the
 * last size to be measured, serves all larger messages, too. A size without a winner gets a comment, and counts as not
 * measured. No size meets two rules, and rules for the same calls leave no gap between their sizes.
 */
void tuning_rules(FILE *f, const struct winner *w, int count, int64_t largest, int ranks, int node_ranks);

/* A summary of the rules for these winners. */
struct tuning_summary {
    int rules;   /* lines of the file */
    int beating; /* those among them that name an engine */
    int noisy;   /* sizes without a winner */
    double best; /* the largest ratio of native's median to that of a winning engine; 1 if native always won */
};

struct tuning_summary tuning_sum_up(const struct winner *w, int count);

#endif
