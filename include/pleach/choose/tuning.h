/* SPDX-License-Identifier: BSD-2-Clause */
/* Tuning: from measured times to rules. Pure. */
#ifndef PLEACH_TUNING_H
#define PLEACH_TUNING_H

#include "engine.h"
#include "facts.h"

#include <stdio.h>

/* Once performed. */
struct repetition {
    double seconds; /* from the latest start to the latest end */
    bool together;  /* the starts were so close that this says how long it takes; else it may seem to take no time at all */
};

/* What was measured of one way to perform a call: an engine with a size of blocks, or native. */
struct timing {
    const struct engine *engine;
    int64_t block;              /* bytes; 0 for native */
    int64_t blocks;             /* their number; likewise */
    bool right;                 /* was the result that of the native call? */
    int count;                  /* repetitions */
    double least, median, most; /* seconds */
    double sound;               /* the least of the repetitions that began together or, if there are none, of all */
    double quartile;            /* three quarters of the repetitions took no longer */
    double spread;              /* from `sound`, or the median if that is less, to `quartile`; in units of the median */
};

/* Sets count and the statistics from `count` >= 1 repetitions, which are sorted on the way. */
void timing_set(struct timing *t, struct repetition *r, int count);

/* Do the repetitions differ so much that they tell nothing? */
bool timing_noisy(const struct timing *t);

/* The least median among `count` timings with right results; the first where none is right. */
const struct timing *timing_best(const struct timing *timing, int count);

/* How much longer than the best the library's choice took: medians, 1 where it was the best. */
struct regret {
    int count;           /* of calls */
    double median, most; /* 0 where there are none */
};

/* Sums `count` of them up; sorts them on the way. */
struct regret regret_of(double *each, int count);

/* One size of a collective and kind of operation, and what won. */
struct winner {
    enum collective collective;
    enum op_class op;
    int64_t bytes;
    const struct engine *engine; /* native where nothing beat it clearly; NULL where native's own time is noise */
    int64_t block;
    struct timing native, taken; /* of native and of the winner */
};

/*
 * Sets engine, block and times of *w from `count` timings, of which number 0 is native. `before`: the winner at the next
 * smaller size, or NULL; of those that are about as good as the best, it is the one taken, else the first.
 */
void tuning_pick(struct winner *w, const struct timing *timing, int count, const struct winner *before);

/*
 * Writes rules, in the format of pleach-rules(5), for winners that come by collective, kind of operation and ascending size.
 * They are for communicators of so many ranks, at most `node_ranks` of them on a node. What won at `largest` bytes, the last
 * size that was to be measured, serves all larger messages, too. Where nothing won, a size is as if it had not been measured,
 * but for a comment. No size meets two rules, and none between two rules for the same calls is left out.
 */
void tuning_rules(FILE *f, const struct winner *w, int count, int64_t largest, int ranks, int node_ranks);

/* What rules were made of these winners. */
struct tuning_summary {
    int rules;   /* lines of the file */
    int beating; /* of them name an engine */
    int noisy;   /* sizes without a winner */
    double best; /* native's median over that of an engine that won, the largest; 1 where native always won */
};

struct tuning_summary tuning_sum_up(const struct winner *w, int count);

#endif
