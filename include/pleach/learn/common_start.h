/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Common starts. Ranks leave an all-reduce one after the other. If they began a trial then, the early ranks would do a part
 * of the work before the last rank begins, and an engine with much of such work would seem fast. In scripts/lab with wires,
 * some trials of 1 KiB took half as long as with a common start. So all ranks begin at the same moment on the clock that
 * they share, some time after the last of them has arrived at the all-reduce. Pure.
 *
 * The wait is twice the lag: the longest time that a rank took, at the previous start, to learn that the last one had
 * arrived. At the first start of a process the lag is unknown, so the ranks begin as they leave the all-reduce. Trials that
 * take microseconds begin START_PAUSE later.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Words of an all-reduce (MAX). */
enum { START_LACKS, START_ARRIVAL, START_LAG, START_WORDS };

/* Nanoseconds. No wait is longer, even if a rank has been away for long, or if clocks differ. Chosen by hand. */
#define START_WAIT 10000000

/*
 * Nanoseconds. The all-reduce has just run the MPI library's code, so a native call of some microseconds would take half of
 * the time that it takes in a program, which computes between its calls. On two cores, MPI_Reduce of 8 KiB takes 1.6 us at
 * once, 2.7 us after 20 us, and 4.7 us after 100 us. START_PAUSE exceeds the time for which ranks spin at the end of a wait
 * (clocks.c), so all ranks sleep before that: if only some of them do, the times of an engine spread by 30 %. Chosen by
 * hand.
 */
#define START_PAUSE 150000

/* Sets this rank's words. `lag` is what start_lag() gave for the previous start, or 0. `now`: on the common clock. */
void start_say(uint64_t lag, bool ready, uint64_t now, uint64_t word[START_WORDS]);

/* Takes the result. Are all ranks ready? Then they begin at this moment, the same on all ranks. */
bool start_hear(const uint64_t word[START_WORDS], uint64_t *moment);

/* Returns this rank's lag, for its words at the next start. `now`: when it learned of the result. */
uint64_t start_lag(const uint64_t word[START_WORDS], uint64_t now);
