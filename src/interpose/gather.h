/* SPDX-License-Identifier: BSD-2-Clause */
/* Gathers one report of all ranks in MPI_Finalize; see gather.c. */
#pragma once

#include <stdbool.h>

/* Notifies rank 0 that MPI_Finalize has begun on this rank; on rank 0, notifies all other ranks. Does not wait. */
void gather_announce(void);

/*
 * Call it in MPI_Finalize, after gather_announce(). All ranks send their rank reports to rank 0, which writes the report.
 * Does nothing and returns false, on all ranks, if there is no communicator for these messages.
 */
bool gather(void);
