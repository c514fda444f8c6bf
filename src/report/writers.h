/* SPDX-License-Identifier: BSD-2-Clause */
/* The writers of a job as text and TSV. They return false if f has an error, or if memory runs out. */
#ifndef PLEACH_WRITERS_H
#define PLEACH_WRITERS_H

#include "job.h"

bool job_text(const struct job *j, int columns, FILE *f);
bool job_tsv(const struct job *j, FILE *f);

enum { TOP_SITES = 10 }; /* sites that the text shows */

/* The sum of the seconds that the ranks ran. */
double job_run(const struct job *j);

/* Writes date and time, UTC: 2026-11-22 10:58:17. */
enum { DATE_TEXT = 72 };
void job_date(double since_1970, char text[DATE_TEXT]);

#endif
