/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock that all ranks share, and the time of work that they do together. */
#ifndef PLEACH_CLOCK_H
#define PLEACH_CLOCK_H

#include "comm.h"
#include "tuning.h"

/* Collective: finds how far the ranks' clocks are apart. Clocks of different hosts drift, so repeat it now and then. */
void clock_agree(struct comm *c);

/* Seconds since clock_begin(), on rank 0's clock, the same on all ranks. clock_elapsed() is collective. */
void clock_begin(void);
double clock_elapsed(struct comm *c);

/*
 * Collective: the ranks that take part begin work(with) at an agreed moment. Returns the time that it took, the same on all
 * ranks. If the ranks did not begin together, they try again, at most `tries` times in all; the try with the closest starts
 * counts. The ranks also agree on job.interrupted.
 */
struct repetition clock_time(struct comm *c, bool takes_part, void (*work)(void *), void *with, int tries);

#endif
