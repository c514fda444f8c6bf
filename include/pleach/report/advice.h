/* SPDX-License-Identifier: BSD-2-Clause */
/* The advice of `pleach advise`: the gain that a program may expect of Pleach, from the job of a dry run. */
#ifndef PLEACH_ADVICE_H
#define PLEACH_ADVICE_H

#include "job.h"

/*
 * Writes the verdict in a sentence (verdict.h), then its evidence: tables of collectives, of the costliest call sites and of
 * collectives that Pleach does not serve. Seconds are a rank's, on average. `columns`: as in job_write(). False: an error of
 * f.
 */
bool advice_write(const struct job *j, int columns, FILE *f);

#endif
