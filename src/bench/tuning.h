/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes rules from measured times. Pure. */
#pragma once

#include "engine.h"
#include "facts.h"

#include <stdio.h>

/* One timed call. */
struct repetition {
    double seconds; /* from the latest start to the latest end */
    bool together;  /* the ranks' starts were close enough; if false, `seconds` may be too small, even 0 */
};

/* The measurements of native, of an engine with a block size, or of the library's choice. */
struct timing {
    const struct engine *engine;
    int64_t block;              /* bytes of a block; 0 for native, and if the model chooses the size */
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

/* The winner for one size of a collective and class of operation. */
struct winner {
    enum collective collective;
    enum op_class op;
    int64_t bytes;
    const struct engine *engine; /* native if no engine beats it clearly; NULL if native's own times are noise */
    int64_t block;               /* bytes of a block; 0 for native */
    struct timing native, taken; /* the timing of native and that of the winner */
};

/*
 * Sets engine, block and times of *w from `count` timings; timing 0 is native's. `before`: the winner at the next smaller
 * size, or NULL. If several timings are about as good as the best, the winner is the timing with engine and block of
 * `before`, or else the first of these.
 */
void tuning_pick(struct winner *w, const struct timing *timing, int count, const struct winner *before);

/*
 * Writes rules, in the format of pleach-rules(5), for winners sorted by collective, class of operation and ascending size.
 * The rules are for communicators of `ranks` ranks, at most `node_ranks` of them on a node. The winner at `largest` bytes,
 * the last size to be measured, serves all larger messages, too. A size without a winner gets only a comment. Rules for the
 * same calls neither overlap nor leave a gap between their sizes.
 */
void tuning_rules(FILE *f, const struct winner *w, int count, int64_t largest, int ranks, int node_ranks);

/* A summary of the rules for these winners. */
struct tuning_summary {
    int rules;   /* number of rules */
    int beating; /* number of rules that name an engine other than native */
    int noisy;   /* sizes without a winner */
    double best; /* the largest ratio of native's median to that of a winning engine; 1 if native always won */
};

struct tuning_summary tuning_sum_up(const struct winner *w, int count);
