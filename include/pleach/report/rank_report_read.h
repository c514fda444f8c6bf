/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads rank reports (rank_report.h). */
#pragma once

#include "rank_report.h"

/*
 * Reads a rank report from text[length]. Returns NULL, with the reason in why[size], if the text is no rank report of this
 * version, or if memory runs out.
 */
struct rank_report *rank_report_read(const char *text, size_t length, char *why, size_t size);

/* Frees a rank report that rank_report_read() made, with all its arrays and texts. p may be NULL. */
void rank_report_free(struct rank_report *p);
