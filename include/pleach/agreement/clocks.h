/* SPDX-License-Identifier: BSD-2-Clause */
/* The difference between the clocks of different hosts. */
#ifndef PLEACH_CLOCKS_H
#define PLEACH_CLOCKS_H

#include "nodes.h"

/* A number for the kernel under this process, whatever containers it is in; 0: unknown. */
uint64_t clocks_kernel(void);

/*
 * Collective over `comm`, a private communicator; `list` has its ranks. Returns the seconds that this rank's seconds_now()
 * is ahead of rank 0's, at this moment: clocks drift. 0 if both run under one kernel. One rank of each node asks rank 0, one
 * node after the other: some round trips each.
 */
double clocks_ahead(MPI_Comm comm, const struct by_node *list);

#endif
