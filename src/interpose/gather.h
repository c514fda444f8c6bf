/* SPDX-License-Identifier: BSD-2-Clause */
/* One report of all ranks, gathered in MPI_Finalize; see gather.c. */
#ifndef PLEACH_GATHER_H
#define PLEACH_GATHER_H

#include <stdbool.h>

/* MPI_Finalize has begun, of which the others hear. Waits for nobody. */
void gather_announce(void);

/*
 * Later in MPI_Finalize: every rank tells rank 0 of its calls, which writes the report. False: there is no communicator for
 * that, on all ranks; then nothing was done.
 */
bool gather(void);

#endif
