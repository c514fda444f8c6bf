/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock that all ranks share. It times the work that they do together. */
#pragma once

#include "comm.h"
#include "timing.h"

/* Collective: finds how far the ranks' clocks are apart. The caller repeats it now and then, as clocks of hosts drift. */
void clock_agree(struct comm *c);

/* clock_elapsed() is collective. It returns the seconds on rank 0's clock since clock_begin(), the same on all ranks. */
void clock_begin(void);
double clock_elapsed(struct comm *c);

/*
 * Collective: the ranks that take part begin work(with) at an agreed moment. Returns the time of this work, the same on all
 * ranks. If the ranks did not begin together, they try again, up to `tries` times in all. If they began no try together, the
 * try with the closest starts counts. The ranks also agree on job.interrupted.
 */
struct repetition clock_time(struct comm *c, bool takes_part, void (*work)(void *), void *with, int tries);
