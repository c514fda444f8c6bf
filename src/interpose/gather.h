/* SPDX-License-Identifier: BSD-2-Clause */
/* One report of all ranks, in MPI_Finalize; see gather.c. */
#pragma once

#include <stdbool.h>

/* MPI_Finalize has begun here: tells rank 0, or as rank 0 all others. Does not wait. */
void gather_announce(void);

/*
 * After gather_announce(), collective: rank 0 writes one report of all. False on all ranks if there is no communicator for
 * it.
 */
bool gather(void);
