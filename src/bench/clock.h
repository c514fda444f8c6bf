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

/* From now on clock_elapsed() counts: seconds, on rank 0's clock, the same on all ranks. The latter is collective. */
void clock_begin(void);
double clock_elapsed(struct comm *c);

/*
 * Collective: all ranks that take part begin `work` at an agreed time; how long it took, the same on all ranks. If they did
 * not begin together, once more, up to `tries` times; of these the best start counts.
 */
struct repetition clock_time(struct comm *c, bool takes_part, void (*work)(void *), void *with, int tries);

#endif
