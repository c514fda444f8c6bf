/* SPDX-License-Identifier: BSD-2-Clause */
/* The times of collectives that Pleach does not serve, on this rank: a row for each function. */
#ifndef PLEACH_OTHERCALLS_H
#define PLEACH_OTHERCALLS_H

#include "rank_report.h"

enum { OTHERCALLS = 32 }; /* most rows */

/* Counts a call; `name`: of the function, static storage. Does nothing if no report is made. */
void othercalls_add(const char *name, double bytes, double seconds);

/* Copies the counts so far. Returns the number of rows. */
int othercalls_list(struct rank_other list[OTHERCALLS]);

#endif
