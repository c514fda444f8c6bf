/* SPDX-License-Identifier: BSD-2-Clause */
/* The difference between the clocks of different hosts. */
#pragma once

#include "comm.h"

/* A number that identifies the kernel under this process, whatever container the process runs in; 0 if unknown. */
uint64_t clocks_kernel(void);

/*
 * Collective over c, which has a private communicator. Returns the seconds by which this rank's seconds_now() is ahead of
 * rank 0's, and 0 if both ranks run under one kernel. The result holds only for the moment of the call, because clocks
 * drift. On each node except that of rank 0, one rank asks rank 0 for its clock in 10 round trips, or in fewer if there are
 * more than 50 nodes, one node after the other.
 */
double clocks_ahead(const struct comm *c);

/*
 * Waits until `moment` on another clock. This host's clock is `ahead` seconds ahead of it. So ranks begin together, even if
 * they share cores.
 */
void clocks_await(double ahead, double moment);
