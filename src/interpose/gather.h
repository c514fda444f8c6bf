/* SPDX-License-Identifier: BSD-2-Clause */
/* Gathers one report of all ranks in MPI_Finalize; see gather.c. */
#ifndef PLEACH_GATHER_H
#define PLEACH_GATHER_H

#include <stdbool.h>

/* Sends rank 0 the note that MPI_Finalize has begun on this rank. Rank 0 sends it to all others. Does not wait. */
void gather_announce(void);

/*
 * Call it later in MPI_Finalize. All ranks send their rank reports to rank 0, which writes the report. Does nothing and
 * returns false, on all ranks, if there is no communicator for these messages.
 */
bool gather(void);

#endif
