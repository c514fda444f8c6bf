/* SPDX-License-Identifier: BSD-2-Clause */
/* The advice of `pleach advise`: what Pleach would do for a program, from the job of a dry run. */
#ifndef PLEACH_ADVICE_H
#define PLEACH_ADVICE_H

#include "job.h"

/*
 * Writes whether it is worth it, in a sentence (verdict.h), and what that rests on: tables of collectives, of the costliest
 * call sites and of collectives that are not served. Seconds are a rank's, on average. `columns`: as in job_write(). False:
 * an error of f.
 */
bool advice_write(const struct job *j, int columns, FILE *f);

#endif
