/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads rank reports (rank_report.h). */
#ifndef PLEACH_RANK_REPORT_READ_H
#define PLEACH_RANK_REPORT_READ_H

#include "rank_report.h"

/*
 * Reads a rank report from text[length]. NULL, with the reason in why[size]: the text is no rank report, or of another
 * version; or out of memory.
 */
struct rank_report *rank_report_read(const char *text, size_t length, char *why, size_t size);

/* Frees a rank report that was read, with all its arrays and texts; or NULL. */
void rank_report_free(struct rank_report *p);

#endif
