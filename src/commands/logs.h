/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads logs into a job (job.h), as if their ranks had reported their calls. */
#pragma once

#include "job.h"

/* The lines of logs. */
struct log_lines {
    const char *by; /* the column that stands for the site: "rank" or "comm", for all collectives together; NULL: the site */
    int64_t records;
    int64_t broken; /* that were not understood */
};

/*
 * Adds the records of a log, and counts its lines. Records without a rank count as those of rank 0. Ends the command if the
 * log cannot be read, lacks a column, or has a newer format than this command knows. Keeps the time of each record, 8 bytes,
 * for each dimension.
 */
void logs_add(struct merge *j, FILE *f, const char *name, struct log_lines *lines);

/* Says how many lines were not understood, if any. `name`: the name of the only log, or "". */
void logs_tell_broken(const char *name, const struct log_lines *lines);
