/* SPDX-License-Identifier: BSD-2-Clause */
/* The writers of a job. They return false if f has an error, or if memory runs out. */
#pragma once

#include "job.h"

bool job_text(const struct job *j, int columns, FILE *f);
bool job_data(const struct job *j, enum table_format format, FILE *f);
bool job_json(const struct job *j, FILE *f);

/* Writes the single calls for Perfetto and Chrome (trace.h). */
bool job_trace(const struct job *j, FILE *f);
