/* SPDX-License-Identifier: BSD-2-Clause */
/* One report of all ranks, gathered in MPI_Finalize; see gather.c. */
#ifndef PLEACH_GATHER_H
#define PLEACH_GATHER_H

#include <stdbool.h>

/* Tells the other ranks that MPI_Finalize has begun here. Waits for nobody. */
void gather_announce(void);

/*
 * Later in MPI_Finalize: all ranks send their parts to rank 0, which writes the report. False, on all ranks: there is no
 * communicator for it, and nothing was done.
 */
bool gather(void);

#endif
