/* SPDX-License-Identifier: BSD-2-Clause */
/* The writers of a job beside html.h. False: an error of f, or out of memory. */
#ifndef PLEACH_WRITERS_H
#define PLEACH_WRITERS_H

#include "job.h"

bool job_text(const struct job *j, int columns, FILE *f);
bool job_tsv(const struct job *j, FILE *f);

enum { TOP_SITES = 10 }; /* that the text shows */

/* The seconds that all ranks ran, of which those in calls are a share. */
double job_run(const struct job *j);

/* Writes the time of day, UTC: 2026-11-22 10:58:17. */
enum { DATE_TEXT = 72 };
void job_date(double since_1970, char text[DATE_TEXT]);

#endif
