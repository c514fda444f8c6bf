/* SPDX-License-Identifier: BSD-2-Clause */
/* The writers of a job as text and TSV. They return false if f has an error, or if memory runs out. */
#pragma once

#include "job.h"

bool job_text(const struct job *j, int columns, FILE *f);
bool job_tsv(const struct job *j, FILE *f);

/* Write one table of these: a dimension below TABLES, or that of collectives that Pleach does not serve. */
bool job_text_table(const struct job *j, int table, int top, int columns, FILE *f);
void job_tsv_table(const struct job *j, int table, int top, bool names, FILE *f);

enum { TOP_SITES = 10 }; /* sites that the text shows */
