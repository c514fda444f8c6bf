/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts, on this rank, calls that the tables of served calls do not have: a row for each function that Pleach does not
 * serve, for exact sums, and for each reason why sums are plain.
 */
#pragma once

#include "rank_report.h"

#include <time.h>

enum { OTHERCALLS = 48 }; /* most rows */

/* Counts a call in the row `name` (static storage). Does nothing without a report, or if a new name finds no row. */
void othercalls_add(const char *name, double bytes, double seconds);

/*
 * Copies the rows, and returns their number; 0 if a thread still adds a call at the moment `until` of CLOCK_REALTIME: this
 * thread may have called exit() in a signal handler.
 */
int othercalls_list(struct rank_other list[OTHERCALLS], const struct timespec *until);
