/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the clocks of different hosts are apart. */
#ifndef PLEACH_CLOCKS_H
#define PLEACH_CLOCKS_H

#include "nodes.h"

/* A number for the kernel that this process runs under, whatever containers it is in; 0 if that does not tell. */
uint64_t clocks_kernel(void);

/*
 * Collective over `comm`, a private communicator whose ranks `list` has: the seconds that this rank's seconds_now() is ahead
 * of rank 0's, at this moment, as clocks drift. 0 where both run under one kernel. One rank of each node asks rank 0, one
 * node after the other: some round trips each.
 */
double clocks_ahead(MPI_Comm comm, const struct by_node *list);

#endif
