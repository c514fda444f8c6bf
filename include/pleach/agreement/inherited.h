/* SPDX-License-Identifier: BSD-2-Clause */
/* Inherited history: what communicators have learned, for others of the same ranks in the same order. */
#ifndef PLEACH_INHERITED_H
#define PLEACH_INHERITED_H

#include "comm.h"

/* A number for the processes of c and their order, the same on all ranks; 0: they are not all known to MPI_COMM_WORLD. */
uint64_t inherited_group(const struct comm *c);

/*
 * Keeps what a communicator of a group has learned of a kind of call; nothing where the group is 0. Older history of the
 * same group and kind goes; if there is much, the oldest.
 */
void inherited_keep(uint64_t group, const struct kind *k);

/*
 * Gives a history, which is empty, what is kept for a group. Returns a hash of it: ranks may have kept something else if
 * they have several threads.
 */
uint64_t inherited_take(uint64_t group, struct history *history);

#endif
