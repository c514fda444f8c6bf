/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Common starts: all ranks begin a trial at one moment of their common clock. Else early ranks would work while others are
 * still in the all-reduce. Pure.
 *
 * The moment is twice the lag after the last arrival. Lag: the longest time in which a rank learned of that, at the start
 * before; 0 at the first start.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Words of an all-reduce (MAX). */
enum { START_LACKS, START_ARRIVAL, START_LAG, START_WORDS };

/* The longest wait, in nanoseconds. */
#define START_WAIT 10000000

/* Nanoseconds from common start to short trials. More than ranks spin at the end of a wait (clocks.c), so all have slept. */
#define START_PAUSE 150000

/* Sets this rank's words. `lag`: from start_lag() at the previous start, or 0. `now`: on the common clock. */
void start_say(uint64_t lag, bool ready, uint64_t now, uint64_t word[START_WORDS]);

/* Are all ranks ready? If so, sets the moment, the same on all ranks. */
bool start_hear(const uint64_t word[START_WORDS], uint64_t *moment);

/* This rank's lag for its next start. `now`: when it learned of the result. */
uint64_t start_lag(const uint64_t word[START_WORDS], uint64_t now);
