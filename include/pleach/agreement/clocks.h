/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences between the clocks of hosts. */
#pragma once

#include "comm.h"

/* Identifies the kernel under this process, in any container; 0: unknown. */
uint64_t clocks_kernel(void);

/*
 * Collective over c, which has a private communicator. Seconds by which this rank's seconds_now() is ahead of rank 0's, at
 * this moment; 0 under one kernel. One rank of each further node asks rank 0, one node after the other.
 */
double clocks_ahead(const struct comm *c);

/* Waits until `moment` of another clock, which this host's is `ahead` of. */
void clocks_await(double ahead, double moment);
