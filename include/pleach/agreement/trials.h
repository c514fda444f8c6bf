/* SPDX-License-Identifier: BSD-2-Clause */
/* Sync points of a history, the cost of trials, and their clock. */
#pragma once

#include "comm.h"

/*
 * Collective over comm: the sync point of a decision, and the rule of a kind that it settles. If the call itself is a trial,
 * returns its common start (common_start.h), else 0.
 */
uint64_t trials_sync(struct comm *comm, struct decision *d);

/* Makes a settled kind's rule, for all its calls. False if its engine does not fit f, whose blocks the rule gets. */
bool trials_rule(const struct kind *k, const struct facts *f, enum origin origin, struct rule *rule);

/* Replaces the model's times by those of trials, if they measured both native and this row. */
void trials_expect(struct kind *k, const struct facts *f, int row, struct expected *expected);

/*
 * In a dry run, by the shadow trials; also the plan, if measurements may decide. No change before they have ended, without
 * both times, or if the engine does not fit.
 */
void trials_tell(struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan,
                 struct expected *expected);

/* Before and after a timed call. */
void trials_begin(const struct comm *comm, struct timed *when);
void trials_end(const struct comm *comm, struct timed *when);

/* Collective over comm, before a shadow trial. False if some rank is not ready; else sets the common start. */
bool trials_ready(const struct comm *comm, const struct kind *k, bool ready, uint64_t *moment);

/* Adds to the cost of trials. */
void trials_lose(double seconds);

/* Returns on all ranks at this moment, or START_WAIT from now if that is earlier. */
void trials_await(const struct comm *comm, uint64_t moment);

/* Collective over comm, after a trial: the next call's messages must not delay ranks that are still in it. */
void trials_leave(const struct comm *comm);

/* Adds to the time that Pleach has taken beside the calls of a dry run. */
void trials_beside(double seconds);

/* Lifts the limit on trials, for pleach bench, on all ranks. */
void trials_freely(void);

/* Sets the trial budget of a dry run. Before the first trial. */
void trials_open(void);
