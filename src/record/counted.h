/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts this process's calls, and makes its rank report from the counts. */
#pragma once

#include "rank_report.h"
#include "record.h"

/* Begins the counting. `facts`: as in struct report_options. */
void counted_open(const struct rank_report *facts);

void counted_add(const struct record *r);

/* The facts, with the moment at which counting began. */
const struct rank_report *counted_facts(void);

/* Seconds since counting began. */
double counted_elapsed(void);

/* The moment at which this process began, in seconds since 1970. */
double counted_started(void);

/*
 * Returns the text of the rank report so far, which the caller frees. Returns NULL if memory runs out, or if the lock is not
 * free within two seconds: a signal handler may have called exit() in the thread that holds the lock. One caller at a time.
 */
char *counted_text(enum rank_end end, size_t *length);
