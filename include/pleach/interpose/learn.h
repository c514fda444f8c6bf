/* SPDX-License-Identifier: BSD-2-Clause */
/* Learning: the ledger's meetings, and the notes of calls. */
#ifndef PLEACH_LEARN_H
#define PLEACH_LEARN_H

#include "comm.h"

/*
 * Collective over comm if a meeting is due. Adds to the facts of a call that meets no rule what its ledger says. Returns the
 * kind of the call, for learn_count(); NULL if nothing is learned from it.
 */
struct kind *learn_consult(struct comm *comm, struct facts *f);

/* Nanoseconds on the clock that the ranks of comm share. */
uint64_t learn_clock(const struct comm *comm);

/* Nanoseconds that trials have lost in this process, and those in calls of which the ledger knows the time. */
struct purse learn_purse(void);

/* Lets trials begin whatever they cost: for who wants to know (pleach bench). On all ranks. */
void learn_freely(void);

#endif
