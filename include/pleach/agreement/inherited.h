/* SPDX-License-Identifier: BSD-2-Clause */
/* Inherited history: communicators pass what they have learned to others of the same ranks in the same order. */
#ifndef PLEACH_INHERITED_H
#define PLEACH_INHERITED_H

#include "comm.h"

/* A number for the processes of c and their order, the same on all ranks; 0: some are not in MPI_COMM_WORLD. */
uint64_t inherited_group(const struct comm *c);

/*
 * Keeps what a communicator of a group has learned of a kind; nothing if the group is 0. It replaces older history of the
 * same group and kind or, if there is no room, the oldest.
 */
void inherited_keep(uint64_t group, const struct kind *k);

/*
 * Fills an empty history with what is kept for a group. Returns a hash of it: with several threads, ranks may have kept
 * different things.
 */
uint64_t inherited_take(uint64_t group, struct history *history);

#endif
