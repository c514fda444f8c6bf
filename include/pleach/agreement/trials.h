/* SPDX-License-Identifier: BSD-2-Clause */
/* Sync points of a history, the cost of trials, and their clock. */
#pragma once

#include "comm.h"

/*
 * Collective over comm: performs the sync point that the decision asks for, and keeps the rule of a kind that is settled by
 * it. If the call itself is a trial, returns its common start (common_start.h), else 0.
 */
uint64_t trials_sync(struct comm *comm, struct decision *d);

/*
 * Makes the rule of a settled kind, for all calls of its size class. f: a call of the kind, by which the rule's blocks are
 * cut. Returns false if the kind's engine does not fit f.
 */
bool trials_rule(const struct kind *k, const struct facts *f, enum origin origin, struct rule *rule);

/* Replaces the model's times by those of trials, if these have measured both native and this row. */
void trials_expect(struct kind *k, const struct facts *f, int row, struct expected *expected);

/*
 * In a dry run: does the same by the kind's shadow trials and, if measurements may decide, replaces the model's plan, too.
 * Changes nothing before the trials have ended, if they lack one of both times, or if the engine does not fit.
 */
void trials_tell(struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan,
                 struct expected *expected);

/* Call them before and after a timed call; they set *when. */
void trials_begin(const struct comm *comm, struct timed *when);
void trials_end(const struct comm *comm, struct timed *when);

/*
 * Collective over comm, before a shadow trial. Returns false on all ranks if some rank is not ready; else sets *moment, the
 * common start (common_start.h).
 */
bool trials_ready(const struct comm *comm, const struct kind *k, bool ready, uint64_t *moment);

/* Adds seconds to what trials have cost. */
void trials_lose(double seconds);

/* Waits for the common start, but at most START_WAIT from now. */
void trials_await(const struct comm *comm, uint64_t moment);

/*
 * Collective over comm, after a trial: no rank goes on before all have ended it, as the next call's messages would delay
 * those still in it.
 */
void trials_leave(const struct comm *comm);

/* Adds seconds to the time that Pleach itself has taken in calls of a dry run. */
void trials_beside(double seconds);

/* Lifts the limit on the cost of trials, for pleach bench. Call it on all ranks. */
void trials_freely(void);

/* Sets the trial budget of a dry run. Call it before the first trial. */
void trials_open(void);
