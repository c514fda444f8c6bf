/* SPDX-License-Identifier: BSD-2-Clause */
/* This process's counts, and its rank report. */
#pragma once

#include "rank_report.h"
#include "record.h"

void counted_open(const struct rank_report *facts);

void counted_add(const struct record *r);

const struct rank_report *counted_facts(void);

double counted_elapsed(void);

/* When this process began, in seconds since 1970. */
double counted_started(void);

/*
 * Returns the rank report so far, for free(); NULL without memory, or if the lock is not free within two seconds, as after
 * exit() in a signal handler. One caller at a time.
 */
char *counted_text(enum rank_end end, size_t *length);
