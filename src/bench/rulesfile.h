/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the file of rules. */
#ifndef PLEACH_RULESFILE_H
#define PLEACH_RULESFILE_H

#include "tuning.h"

/*
 * Returns the name of the file: `output` or, if `output` ends with '/', the name in this folder for jobs with as many ranks
 * and nodes as this job.
 */
const char *rulesfile_name(const char *output);

/* Collective: ends the job if the file cannot be written. Creates no file. */
void rulesfile_check(const char *name);

/*
 * Collective: writes the file of rules for these winners (tuning.h). If that fails, keeps an old file, and ends the job. If
 * there is no rule, keeps an old file, and returns false on rank 0.
 */
bool rulesfile_write(const char *name, const struct winner *w, int count, int64_t largest);

#endif
