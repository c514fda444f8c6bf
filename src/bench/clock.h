/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock of all ranks, for work that they do together. */
#pragma once

#include "comm.h"
#include "timing.h"

/* Collective. Compares the ranks' clocks. Repeat it now and then, as clocks drift. */
void clock_agree(struct comm *c);

/* clock_elapsed() is collective: seconds on rank 0's clock since clock_begin(), the same on all ranks. */
void clock_begin(void);
double clock_elapsed(struct comm *c);

/*
 * Collective. Those who take part begin work(with) at an agreed moment. Returns its time, the same on all ranks. Up to
 * `tries` tries until they begin together; else the one with the closest starts. Also agrees on job.interrupted.
 */
struct repetition clock_time(struct comm *c, bool takes_part, void (*work)(void *), void *with, int tries);
