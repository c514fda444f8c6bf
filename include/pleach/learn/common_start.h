/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Common starts: all ranks begin a trial at one moment of the clock that they share. Else the first ranks to leave the
 * all-reduce would work while others are still in it, and the trial would seem short. Pure.
 *
 * The moment is twice the lag after the last rank's arrival at the all-reduce. The lag is the longest time that a rank took
 * to learn of the arrival at the start before. The first start has no lag, and no wait.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Words of an all-reduce (MAX). */
enum { START_LACKS, START_ARRIVAL, START_LAG, START_WORDS };

/* The longest wait, in nanoseconds. */
#define START_WAIT 10000000

/*
 * Nanoseconds between the common start and a short trial. They exceed the time for which ranks spin at the end of a wait
 * (clocks.c), so that all ranks have slept when a trial begins.
 */
#define START_PAUSE 150000

/* Sets this rank's words. `lag`: from start_lag() at the previous start, or 0. `now`: on the common clock. */
void start_say(uint64_t lag, bool ready, uint64_t now, uint64_t word[START_WORDS]);

/* Are all ranks ready? If so, sets the moment, the same on all ranks. */
bool start_hear(const uint64_t word[START_WORDS], uint64_t *moment);

/* This rank's lag for its next start. `now`: when it learned of the result. */
uint64_t start_lag(const uint64_t word[START_WORDS], uint64_t now);
