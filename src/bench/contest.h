/* SPDX-License-Identifier: BSD-2-Clause */
/* A trial: contenders (native, engines, the library's choice) make the same call by turns, and are timed. */
#pragma once

#include "call.h"
#include "choose.h"
#include "bench_job.h"
#include "tuning.h"

/* Native, the library's choice before and after learning; at most 64 engines, with their own cut and three block sizes. */
enum { MOST_CONTENDERS = 3 + 4 * 64 };

/* A contender is native (contender 0), an engine with a block size, or the library's choice. */
struct contender {
    struct timing timing;
    bool chosen;                /* the library chooses at every call; the plan is its choice before the repetitions */
    bool learned;               /* the choice follows from earlier calls of this kind; if false, from the model alone */
    bool unlearned;             /* the library still tries engines in such calls, so `learned` has the times of trials */
    bool hopeless;              /* too slow to be repeated */
    bool settled;               /* repeated enough: its times are not noise */
    double best;                /* least seconds, checked call included; infinite if the ranks began no call together */
    struct operation operation; /* prepared for engines; else only its plan counts */
    int count;                  /* number of repetitions so far */
    struct repetition *repetition;
};

struct contest {
    struct call call;
    struct facts facts;
    struct view view;
    uint64_t *in, *out;
    int64_t words;   /* 8-byte words in each of `in` and `out` */
    uint64_t expect; /* hash of this rank's result of the native call */
    int contenders;
    struct contender contender[MOST_CONTENDERS];
};

/*
 * Collective: prepares a call of `bytes` bytes. For reductions and scans, `bytes` is a multiple of 16. Ends the job if
 * memory is short, or if no engine may serve the call.
 */
void contest_open(struct contest *t, enum collective c, enum op_class op, int64_t bytes, int root);
void contest_close(struct contest *t);

/*
 * Collective: contest_add() adds the engine of this row, with blocks of `block` bytes; with 0, the model chooses the size.
 * Row
 * 0, native, must come first. If memory is short for an engine, it is not added. contest_add_chosen() adds the library's
 * choice.
 */
void contest_add(struct contest *t, int row, int64_t block);
void contest_add_chosen(struct contest *t, bool learned);

/* Copies the contenders' timings to timing[MOST_CONTENDERS]; returns their number. */
int contest_timings(const struct contest *t, struct timing *timing);

/* Removes the last contender. */
void contest_drop(struct contest *t);

/*
 * Collective: checks every contender's result against native's. Then times each contender `repeats` times, by turns. If
 * `repeats` is 0, times them as often as fits into `seconds`, 3 to 100 times. With `prune`, contenders much slower than the
 * best are no longer timed. Contenders whose times are noise repeat up to twice as often, in a part of the time
 * that is reserved for this. Returns false if the job was interrupted; no timing is valid then.
 */
bool contest_run(struct contest *t, int64_t repeats, double seconds, bool prune);
