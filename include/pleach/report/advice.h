/* SPDX-License-Identifier: BSD-2-Clause */
/* The advice of `pleach advise`: the gain that a program may expect from Pleach, as the job of a dry run shows it. */
#pragma once

#include "job.h"

/*
 * Writes the verdict in a sentence (verdict.h), then its evidence: tables of collectives, of the costliest call sites and of
 * collectives that Pleach does not serve. Times are those of a rank, on average. `width`: as `columns` in job_write().
 * Returns false if f has an error.
 */
bool advice_write(const struct job *j, int width, FILE *f);
