/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials: the sync points of a communicator's history, what they cost this process, and the clock that they go by. */
#ifndef PLEACH_TRIALS_H
#define PLEACH_TRIALS_H

#include "comm.h"

/* Collective over comm: holds the sync point that the decision for a call wants. Keeps what is a lesson. */
void trials_sync(struct comm *comm, struct decision *d);

/*
 * In a dry run: what the trials beside the calls of a kind have shown, in place of what the model says. Nothing is changed
 * if they have not come to an end.
 */
void trials_tell(const struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan,
                 struct expected *expected);

/* Nanoseconds on the clock that the ranks of comm share. */
uint64_t trials_clock(const struct comm *comm);

/* A dry run has spent so many seconds beside the program's calls. */
void trials_beside(double seconds);

/* Lets trials begin whatever they cost: for who wants to know (pleach bench). On all ranks. */
void trials_freely(void);

/* Gives trials what the settings of a dry run let them lose. Before the first call. */
void trials_open(void);

#endif
