/* SPDX-License-Identifier: BSD-2-Clause */
/* Inherited history: a communicator takes over what an earlier one of the same ranks, in the same order, has learned. */
#pragma once

#include "comm.h"

/*
 * A number that identifies the processes of c and their order, the same on all ranks. It is 0 if some of these processes are
 * not in MPI_COMM_WORLD, if MPI_COMM_WORLD does not exist now, or if memory is short on this rank.
 */
uint64_t inherited_group(const struct comm *c);

/*
 * Keeps what a communicator of a group has learned of a kind of calls. Keeps nothing if the group is 0. The new entry
 * replaces the older entry of the same group and kind. If there is none and the table is full, it replaces the oldest entry.
 */
void inherited_keep(uint64_t group, const struct kind *k);

/*
 * Fills an empty history with all that is kept for a group. Returns a hash of this history. The ranks compare their hashes:
 * with several threads, ranks may have kept different histories.
 */
uint64_t inherited_find(uint64_t group, struct history *history);
