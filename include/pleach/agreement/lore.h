/* SPDX-License-Identifier: BSD-2-Clause */
/* Lore: what communicators have learned, for others of the same ranks in the same order. */
#ifndef PLEACH_LORE_H
#define PLEACH_LORE_H

#include "comm.h"

/* A number for the processes of c and their order, the same on all ranks; 0: they are not all known to MPI_COMM_WORLD. */
uint64_t lore_group(const struct comm *c);

/* Keeps what c has learned of a kind of call. Older lore of the same group and kind goes; if there is much, the oldest. */
void lore_keep(const struct comm *c, const struct kind *k);

/*
 * Gives c's ledger, which is empty, what is kept for its group. Returns a hash of it: ranks may have kept something else if
 * they have several threads.
 */
uint64_t lore_take(struct comm *c);

#endif
