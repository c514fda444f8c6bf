/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The communicator on which ranks tell rank 0 of themselves when MPI_Finalize is called: in a report of all ranks. It is
 * made where all of MPI_COMM_WORLD agree. By then no rank can be asked any more: on some, callbacks of the program may run
 * first.
 */
#ifndef PLEACH_GATHERING_H
#define PLEACH_GATHERING_H

#include "comm.h"

/* Can this rank take part? To be told where all listen. */
bool gathering_possible(void);

/* This rank will be called when MPI_Finalize begins. Called once, at the start. */
void gathering_prepare(void);

/*
 * Collective over c, where the ranks have found that all of them can. Makes the communicator, of MPI_COMM_WORLD's ranks in
 * their order, if c has these ranks. `id`: of what they have found out.
 */
void gathering_make(struct comm *c, uint64_t id);

/* The communicator, whose errors return; MPI_COMM_NULL: there is none, on all ranks. */
MPI_Comm gathering_comm(void);

#endif
