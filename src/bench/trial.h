/* SPDX-License-Identifier: BSD-2-Clause */
/* A trial: native and engines perform the same call by turns. */
#ifndef PLEACH_TRIAL_H
#define PLEACH_TRIAL_H

#include "call.h"
#include "choose.h"
#include "bench_job.h"
#include "tuning.h"

/* Native, the library's choice before and after learning, and three sizes of block for each of at most 64 engines. */
enum { MOST_CONTENDERS = 3 + 3 * 64 };

/* A contender performs the call: native (number 0), an engine with its blocks, or the library's choice. */
struct contender {
    struct timing timing;
    bool chosen;                /* the library chooses at every call; the plan is its choice before the repetitions */
    bool learned;               /* its choice follows from calls of this kind; else from the model alone */
    bool hopeless;              /* too slow to be repeated */
    bool settled;               /* repeated enough: no noise */
    double best;                /* seconds, with the checked call; infinite if ranks began no repetition together */
    struct operation operation; /* for native, only its plan is set */
    int count;
    struct repetition *repetition;
};

struct trial {
    struct call call;
    struct facts facts;
    struct view view;
    uint64_t *in, *out;
    int64_t words;   /* of 8 bytes; in each of `in` and `out` */
    uint64_t expect; /* hash of this rank's result of the native call */
    int contenders;
    struct contender contender[MOST_CONTENDERS];
};

/*
 * Collective: prepares a call of `bytes` bytes, a multiple of 16 for reductions and scans; ends the job if memory is short.
 */
void trial_open(struct trial *t, enum collective c, enum op_class op, int64_t bytes, int root);
void trial_close(struct trial *t);

/*
 * Collective: add a contender. trial_add(): the engine of this row, with blocks of `block` bytes or, if that is 0, of the
 * best size; the first contender is row 0, native. An engine for which memory is short is left out. trial_add_chosen(): the
 * library's choice.
 */
void trial_add(struct trial *t, int row, int64_t block);
void trial_add_chosen(struct trial *t, bool learned);

/* Copies the contenders' timings to timing[MOST_CONTENDERS]; returns their number. */
int trial_timings(const struct trial *t, struct timing *timing);

/* Removes the last contender. */
void trial_drop(struct trial *t);

/*
 * Collective: checks every contender's result against that of native, then times all contenders by turns: `repeats` times
 * or, if that is 0, as often as fits into `seconds`, at least a few times. `prune` drops contenders that take much longer
 * than the best. Contenders whose times are noise repeat up to twice as often; a part of the time is reserved for that.
 * False if the job was interrupted: then no timing is valid.
 */
bool trial_run(struct trial *t, int64_t repeats, double seconds, bool prune);

#endif
