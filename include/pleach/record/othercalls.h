/* SPDX-License-Identifier: BSD-2-Clause */
/* What collectives that Pleach does not serve have taken on this rank: a row for each function. */
#ifndef PLEACH_OTHERCALLS_H
#define PLEACH_OTHERCALLS_H

#include "rank_report.h"

enum { OTHERCALLS = 32 }; /* functions that are told apart */

/* Counts a call; `name`: of the function, static storage. Does nothing where no report is made. */
void othercalls_add(const char *name, double bytes, double seconds);

/* Copies what was counted so far; returns the number of rows. */
int othercalls_list(struct rank_other list[OTHERCALLS]);

#endif
