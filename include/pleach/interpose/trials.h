/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials: the sync points of a communicator's history, their cost to this process, and their clock. */
#ifndef PLEACH_TRIALS_H
#define PLEACH_TRIALS_H

#include "comm.h"

/* Collective over comm: holds the sync point that the decision for a call wants. Keeps a lesson that comes of it. */
void trials_sync(struct comm *comm, struct decision *d);

/*
 * In a dry run: replaces the model's times by those of the kind's shadow trials and, if measurements may decide, its plan.
 * Changes nothing if the trials have not ended.
 */
void trials_tell(const struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan,
                 struct expected *expected);

/* Nanoseconds on the clock that the ranks of comm share. */
uint64_t trials_clock(const struct comm *comm);

/* Counts seconds that a dry run has spent beside the program's calls. */
void trials_beside(double seconds);

/* Lets trials begin whatever they cost, for pleach bench. On all ranks. */
void trials_freely(void);

/* Sets the trial budget that the settings of a dry run allow. Before the first call. */
void trials_open(void);

#endif
