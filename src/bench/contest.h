/* SPDX-License-Identifier: BSD-2-Clause */
/* A contest: candidates (native, engines, the library's choice) make the same call by turns, and are timed. */
#pragma once

#include "call.h"
#include "choose.h"
#include "bench_job.h"
#include "timing.h"

/* Native, the library's choice before and after learning; at most 64 engines. */
enum { CONTEST_MOST = 3 + 64 };

/* A candidate is native (candidate 0), an engine, or the library's choice. */
struct candidate {
    struct timing timing;
    bool chosen;                /* the library chooses at every call; the plan is its choice before the repetitions */
    bool learned;               /* the choice follows from earlier calls of this kind; if false, from the model alone */
    bool unlearned;             /* the library still tries engines in such calls, so `learned` has the times of trials */
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
    int candidates;
    struct candidate candidate[CONTEST_MOST];
};

/*
 * Collective: prepares a call of `bytes` bytes. For reductions and scans, `bytes` is a multiple of 16. Ends the job if
 * memory is short, or if no engine may serve the call.
 */
void contest_open(struct contest *t, enum collective c, enum op_class op, int64_t bytes, int root);
void contest_close(struct contest *t);

/*
 * Collective: contest_add() adds the engine of this row. Row 0, native, must come first. If memory is short for an engine,
 * it is not added. contest_add_chosen() adds the library's choice.
 */
void contest_add(struct contest *t, int row);
void contest_add_chosen(struct contest *t, bool learned);

/* Copies the candidates' timings to timing[CONTEST_MOST]; returns their number. */
int contest_timings(const struct contest *t, struct timing *timing);

/*
 * Collective: checks every candidate's result against native's. Then times each candidate `repeats` times, by turns. If
 * `repeats` is 0, times them as often as fits into `seconds`, 3 to 100 times. Candidates whose times are noise repeat up to
 * twice as often, in a part of the time that is reserved for this. Returns false if the job was interrupted; no timing is
 * valid then.
 */
bool contest_run(struct contest *t, int64_t repeats, double seconds);

/*
 * Collective, without candidates: makes calls until the library has settled their kind, for at most `seconds`. Sets *right
 * if all results were native's. Returns the kind; NULL if the library does not learn from such calls.
 */
const struct kind *contest_learn(struct contest *t, double seconds, bool *right);
