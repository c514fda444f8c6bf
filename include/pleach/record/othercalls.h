/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts, on this rank, functions that Pleach does not serve, exact sums, and why sums are plain. */
#pragma once

#include "rank_report.h"

#include <time.h>

enum { OTHERCALLS = 48 };

/* Counts a call in the row `name` (static storage). Does nothing without a report or a free row. */
void othercalls_add(const char *name, double bytes, double seconds);

/*
 * Copies the rows. Returns their number; 0 if a thread still adds one at `until` (CLOCK_REALTIME), perhaps in exit() in a
 * signal handler.
 */
int othercalls_list(struct rank_other list[OTHERCALLS], const struct timespec *until);
