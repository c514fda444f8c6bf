/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials: the sync points of a communicator's history, their cost to this process, and their clock. */
#ifndef PLEACH_TRIALS_H
#define PLEACH_TRIALS_H

#include "comm.h"

/*
 * Collective over comm: holds the sync point that the decision for a call wants. If this gives a lesson, keeps the lesson.
 */
void trials_sync(struct comm *comm, struct decision *d);

/*
 * In a dry run: replaces the model's times by those of the kind's shadow trials and, if measurements may decide, its plan.
 * Changes nothing if the trials have not ended.
 */
void trials_tell(const struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan,
                 struct expected *expected);

/* Nanoseconds on the clock that the ranks of comm share. */
uint64_t trials_clock(const struct comm *comm);

/* Adds to the seconds that a dry run has taken in calls, without the calls themselves. */
void trials_beside(double seconds);

/* Lets trials begin whatever they cost, for pleach bench. All ranks must call it. */
void trials_freely(void);

/* Sets the trial budget that the settings of a dry run allow. Called before the first call of the program. */
void trials_open(void);

#endif
