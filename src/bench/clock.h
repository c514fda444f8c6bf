/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock for all ranks, and the time of something that they do together. */
#ifndef PLEACH_CLOCK_H
#define PLEACH_CLOCK_H

#include "comm.h"
#include "tuning.h"

/*
 * Collective: finds how far the clocks of the ranks are apart. To be repeated now and then where hosts differ: clocks drift.
 */
void clock_agree(struct comm *c);

/* Seconds since clock_begin(), on rank 0's clock, the same on all ranks. clock_elapsed() is collective. */
void clock_begin(void);
double clock_elapsed(struct comm *c);

/*
 * Collective: the ranks that take part begin `work` at an agreed moment. Returns how long it took, the same on all ranks.
 * Where they did not begin together they try again, `tries` times at most; the try that began best counts. On the way, ranks
 * agree on job.interrupted.
 */
struct repetition clock_time(struct comm *c, bool takes_part, void (*work)(void *), void *with, int tries);

#endif
