/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report: what the calls of this process had in common (collective, engine and reason; call site), counted as they come
 * and written at the end. A report that cannot be opened or written costs one line on standard error and nothing else. No
 * function here changes errno.
 */
#ifndef PLEACH_REPORT_H
#define PLEACH_REPORT_H

#include "record.h"

/* Opens this process's report, once in its life: from now on calls are counted. Arguments as for record_open(). */
void report_open(const char *pattern, int rank, int stack);

/* Writes the report, in one piece, and closes it. Does nothing in a child that fork() made. */
void report_close(void);

/* The report's part in record_on(), record_add() and record_note(), which call it. */
bool report_on(void);
void report_add(const struct record *r);
void report_note(const char *note);

/* Tells the report how many kinds of calls have been learned so far, and how many seconds their trials have lost. */
void report_trials(int learned, double lost);

#endif
