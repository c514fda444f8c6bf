/* SPDX-License-Identifier: BSD-2-Clause */
/* Lore: what communicators have learned, for others of the same ranks in the same order. */
#ifndef PLEACH_LORE_H
#define PLEACH_LORE_H

#include "comm.h"

/* A number for the processes of c and their order, the same on all ranks; 0: they are not all known to MPI_COMM_WORLD. */
uint64_t lore_group(const struct comm *c);

/*
 * Keeps what a communicator of a group has learned of a kind of call; nothing where the group is 0. Older lore of the same
 * group and kind goes; if there is much, the oldest.
 */
void lore_keep(uint64_t group, const struct kind *k);

/*
 * Gives a ledger, which is empty, what is kept for a group. Returns a hash of it: ranks may have kept something else if
 * they have several threads.
 */
uint64_t lore_take(uint64_t group, struct ledger *ledger);

#endif
