/* SPDX-License-Identifier: BSD-2-Clause */
/* Candidates (native, engines, the library's choice) make a call by turns. */
#pragma once

#include "call.h"
#include "choose.h"
#include "bench_job.h"
#include "timing.h"

/* Native, the choice before and after learning, engines. */
enum { CONTEST_MOST = 3 + 64 };

/* Candidate 0 is native. */
struct candidate {
    struct timing timing;
    bool chosen;                /* by the library, at every call; `plan`: before the repetitions */
    bool learned;               /* from earlier calls, not the model alone */
    bool unlearned;             /* `learned` still has times of trials */
    bool settled;               /* its times are no noise */
    double best;                /* least seconds, with the checked call; infinite: never together */
    struct operation operation; /* of engines; else only its plan counts */
    int count;
    struct repetition *repetition;
};

struct contest {
    struct call call;
    struct facts facts;
    struct view view;
    uint64_t *in, *out;
    int64_t words;   /* 8 bytes, in each of `in` and `out` */
    uint64_t expect; /* hash of the native result here */
    int candidates;
    struct candidate candidate[CONTEST_MOST];
};

/* Collective. Bytes: a multiple of 16, but for broadcasts. Ends the job without memory, or if no engine may serve. */
void contest_open(struct contest *t, enum collective c, enum op_class op, int64_t bytes, int root);
void contest_close(struct contest *t);

/* Collective. Row 0, native, first. An engine without memory is not added. The second adds the library's choice. */
void contest_add(struct contest *t, int row);
void contest_add_chosen(struct contest *t, bool learned);

/* Copies to timing[CONTEST_MOST]. Returns their number. */
int contest_timings(const struct contest *t, struct timing *timing);

/*
 * Collective. Checks results against native's, then times each candidate `repeats` times by turns; 0: 3 to 100 times, within
 * `seconds`. Noisy ones repeat up to twice as often. False: interrupted, no timing is valid.
 */
bool contest_run(struct contest *t, int64_t repeats, double seconds);

/*
 * Collective, without candidates: calls until the library has settled their kind, for at most `seconds`. *right: all results
 * were. Returns the kind; NULL: it learns nothing from such calls.
 */
const struct kind *contest_learn(struct contest *t, double seconds, bool *right);
