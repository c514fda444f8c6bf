/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials: the sync points of a communicator's history, the time that trials cost this process, and the clock of trials. */
#pragma once

#include "comm.h"

/*
 * Collective over comm: performs the sync point that the decision for a call asks for. Keeps the rule of a kind that is
 * settled by it. If the call itself is a trial, returns the moment at which it begins, the same on all ranks; see
 * common_start.h. Else returns 0.
 */
uint64_t trials_sync(struct comm *comm, struct decision *d);

/*
 * Makes the rule of a settled kind, for all calls of its size class. f: a call of the kind. Returns false if the kind's
 * engine does not fit this call: the size of the rule's blocks follows from the call.
 */
bool trials_rule(const struct kind *k, const struct facts *f, enum origin origin, struct rule *rule);

/* Replaces the model's times by those that trials have measured, of native and of this row, if they have measured both. */
void trials_expect(struct kind *k, const struct facts *f, int row, struct expected *expected);

/*
 * In a dry run: does so with the kind's shadow trials. If measurements may decide, also replaces
 * the model's plan. Changes nothing if the trials have not ended, or have not measured both native and the engine, or if the
 * engine does not fit the call.
 */
void trials_tell(struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan,
                 struct expected *expected);

/* Before and after a timed call: set *when. */
void trials_begin(const struct comm *comm, struct timed *when);
void trials_end(const struct comm *comm, struct timed *when);

/*
 * Collective over comm, before a shadow trial of kind k. Returns false on all ranks if some rank is not ready. Otherwise all
 * ranks get the same moment at which the trial begins; see common_start.h.
 */
bool trials_ready(const struct comm *comm, const struct kind *k, bool ready, uint64_t *moment);

/* Adds seconds to what trials have lost. */
void trials_lose(double seconds);

/* Returns on all ranks at this moment, or START_WAIT from now if that is earlier. */
void trials_await(const struct comm *comm, uint64_t moment);

/*
 * Collective over comm, after a trial. No rank goes on before the last one has ended the trial. Otherwise the messages of
 * the next call would delay the ranks that are still in the trial. Engines that let many ranks leave early would seem slow:
 * in scripts/lab with wires, a reduction by circulant took 28 ms in trials instead of 20.
 */
void trials_leave(const struct comm *comm);

/* Adds seconds to the time that Pleach itself has taken in the calls of a dry run. */
void trials_beside(double seconds);

/* Lifts the limit on the cost of trials, for pleach bench. All ranks must call it. */
void trials_freely(void);

/* Sets the trial budget of a dry run, by the settings. Must be called before the first trial. */
void trials_open(void);
