/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials: the ledger's meetings, and the notes of calls. */
#ifndef PLEACH_TRIALS_H
#define PLEACH_TRIALS_H

#include "comm.h"

/*
 * Collective over comm if a meeting is due. Adds to the facts of a call that meets no rule what its ledger says. Returns the
 * kind of the call, to be counted behind the call; NULL if nothing is learned from it.
 */
struct kind *trials_consult(struct comm *comm, struct facts *f);

/*
 * In a dry run: what the trials beside the calls of a kind have shown, in place of what the model says. False, with nothing
 * changed, if they have not come to an end.
 */
bool trials_tell(const struct kind *k, const struct facts *f, struct plan *plan, struct expected *expected);

/* Nanoseconds on the clock that the ranks of comm share. */
uint64_t trials_clock(const struct comm *comm);

/* A dry run has spent so many seconds beside the program's calls. */
void trials_beside(double seconds);

/* Lets trials begin whatever they cost: for who wants to know (pleach bench). On all ranks. */
void trials_freely(void);

/* Gives trials what the settings of a dry run let them lose. Before the first call. */
void trials_open(void);

#endif
