/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The communicator that carries the rank reports to rank 0 in MPI_Finalize, for a report of all ranks. It is made when all
 * of MPI_COMM_WORLD agree. In MPI_Finalize it is too late to agree: on some ranks, callbacks of the program may run first.
 */
#ifndef PLEACH_GATHERING_H
#define PLEACH_GATHERING_H

#include "comm.h"

/* Can this rank take part? The answer belongs in a message in which all ranks agree. */
bool gathering_possible(void);

/* Makes MPI_Finalize call this rank back when it begins. Called once, at the start. */
void gathering_prepare(void);

/*
 * Collective over c, after its ranks have agreed that all can take part. Makes the communicator, with MPI_COMM_WORLD's ranks
 * in their order, if c has these ranks. `id`: that of c's group info.
 */
void gathering_make(struct comm *c, uint64_t id);

/* The communicator; its errors return. MPI_COMM_NULL: there is none, on any rank. */
MPI_Comm gathering_comm(void);

#endif
