/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The communicator that carries rank reports to rank 0 in MPI_Finalize. Made when the ranks of MPI_COMM_WORLD agree: in
 * MPI_Finalize, callbacks of the program may run on some ranks first.
 */
#pragma once

#include "comm.h"

/* Can this rank take part? The agreement combines the answers. */
bool gathering_possible(void);

/* Notes that MPI_Finalize will call us first (library.c): only then can this rank take part. At most once, at the start. */
void gathering_prepare(void);

/*
 * Collective over c, if all ranks can take part. If c has all ranks of MPI_COMM_WORLD, makes the communicator, with their
 * order there. `id`: of c's group info.
 */
void gathering_make(struct comm *c, uint64_t id);

/* MPI_COMM_NULL on all ranks if there is none. Its error handler is MPI_ERRORS_RETURN. */
MPI_Comm gathering_comm(void);
