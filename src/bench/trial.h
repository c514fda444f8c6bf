/* SPDX-License-Identifier: BSD-2-Clause */
/* A trial: one call, performed by native and engines in turn. */
#ifndef PLEACH_TRIAL_H
#define PLEACH_TRIAL_H

#include "call.h"
#include "choose.h"
#include "bench_job.h"
#include "tuning.h"

/* Native, the library's choice before and after learning, and three sizes of block for each engine of a word set. */
enum { MOST_CONTENDERS = 3 + 3 * 64 };

/* What performs the call: native (number 0), an engine with its blocks, or whatever the library chooses. */
struct contender {
    struct timing timing;
    bool chosen;                /* by the library, at every call; the plan is what it chose */
    bool learned;               /* .. from calls like this; else by the model alone */
    bool hopeless;              /* not repeated any more */
    bool settled;               /* repeated enough: no noise */
    double best;                /* seconds, the checked call among them; infinite where no repetition began together */
    struct operation operation; /* with its plan, which for native is all of it */
    int count;
    struct repetition *repetition;
};

struct trial {
    struct call call;
    struct facts facts;
    struct view view;
    uint64_t *in, *out;
    int64_t words;   /* of 8 bytes, in each */
    uint64_t expect; /* hash of this rank's result */
    int contenders;
    struct contender contender[MOST_CONTENDERS];
};

/*
 * Collective: prepares a call of `bytes` bytes, a multiple of 16 for reductions and scans. All three end the job where
 * memory is short.
 */
void trial_open(struct trial *t, enum collective c, enum op_class op, int64_t bytes, int root);
void trial_close(struct trial *t);

/* Adds a contender: native first, then engines, in blocks of `block` bytes or, for 0, of the best size; and the library. */
void trial_add(struct trial *t, int row, int64_t block);
void trial_add_chosen(struct trial *t, bool learned);

/* Copies their timings; returns their number. */
int trial_timings(const struct trial *t, struct timing *timing);

/* Takes the last one away. */
void trial_drop(struct trial *t);

/*
 * Collective: checks every contender's result against native's, then repeats them all in turn: `repeats` times or, for 0, as
 * often as fits into `seconds`, at least a few times. `prune`: what is far behind the best is not repeated. What is noise is
 * repeated up to twice as often; a part of the time is there for that. False if the job was interrupted: then no timing is
 * valid.
 */
bool trial_run(struct trial *t, int64_t repeats, double seconds, bool prune);

#endif
