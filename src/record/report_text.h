/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a report. */
#ifndef PLEACH_REPORT_TEXT_H
#define PLEACH_REPORT_TEXT_H

#include "tables.h"

/*
 * The text, which stays until the next call, and its length in bytes; sorts the tables. `elapsed`: seconds since the first
 * call could be counted. Once at a time.
 */
const char *report_text(struct tables *t, int rank, double elapsed, int *length);

#endif
