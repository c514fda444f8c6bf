/* SPDX-License-Identifier: BSD-2-Clause */
/* What this process has counted of its calls, and the rank report that is made of it. */
#ifndef PLEACH_COUNTED_H
#define PLEACH_COUNTED_H

#include "rank_report.h"
#include "record.h"

/* Begins. `facts`: as in struct report_options. */
void counted_open(const struct rank_report *facts);

void counted_add(const struct record *r);

/* The facts, with the moment at which counting began. */
const struct rank_report *counted_facts(void);

/* Seconds since counting began. */
double counted_elapsed(void);

/* The second since 1970 in which this process began. */
double counted_started(void);

/*
 * The rank report as it is now, as text, to be freed. NULL: no memory; or this very thread counts, as a signal handler calls
 * exit(). By one thread at a time.
 */
char *counted_text(enum rank_end end, size_t *length);

#endif
