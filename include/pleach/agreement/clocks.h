/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences between the clocks of hosts. */
#pragma once

#include "comm.h"

/* A number for the kernel under this process, the same in any container; 0 if unknown. */
uint64_t clocks_kernel(void);

/*
 * Collective over c, which has a private communicator. Returns the seconds by which this rank's seconds_now() is now ahead
 * of rank 0's; 0 if both run under one kernel. On each other node, one rank asks rank 0, one node after the other.
 */
double clocks_ahead(const struct comm *c);

/* Waits until a clock over which this host's clock is `ahead` seconds ahead shows `moment`. */
void clocks_await(double ahead, double moment);
