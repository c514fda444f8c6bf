/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The communicator that carries the rank reports to rank 0 in MPI_Finalize, for a report of all ranks. The ranks of
 * MPI_COMM_WORLD make it when they agree. In MPI_Finalize they could not agree any more, because callbacks of the program
 * may run first on some ranks.
 */
#pragma once

#include "comm.h"

/* Can this rank take part? The ranks combine their answers in a message of the agreement. */
bool gathering_possible(void);

/*
 * Remembers that MPI_Finalize, when it begins, will call a function of ours on this rank (library.c). Only then can the rank
 * take part. Call it at most once, at the start.
 */
void gathering_prepare(void);

/*
 * Collective over c, after all its ranks have agreed that they can take part. If c has all ranks of MPI_COMM_WORLD, makes
 * the communicator, with these ranks in the order of MPI_COMM_WORLD. `id` is the id of c's group info.
 */
void gathering_make(struct comm *c, uint64_t id);

/* Returns the communicator, or MPI_COMM_NULL on all ranks if there is none. Its error handler is MPI_ERRORS_RETURN. */
MPI_Comm gathering_comm(void);
