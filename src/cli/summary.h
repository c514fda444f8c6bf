/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the records of logs: by call site, engine, reason, collective, size, rank and communicator. */
#ifndef PLEACH_SUMMARY_H
#define PLEACH_SUMMARY_H

#include "sums.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LOG_SITE, LOG_ENGINE, LOG_REASON, LOG_COLLECTIVE, LOG_SIZE, LOG_RANK, LOG_COMM, GROUPINGS };

struct summary {
    bool wanted[GROUPINGS]; /* set before the first summary_add() */
    struct sums by[GROUPINGS];
    struct sum all;
    int64_t firsts; /* calls that were the first of their kind */
    int64_t broken; /* lines that were not understood */
    bool dry;       /* some of the logs are of dry runs: the engine is what would have served */
};

/* The column that a grouping goes by; LOG_SIZE is made from `bytes`: 64K stands for all that is more than 32K, too. */
const char *grouping_name(int grouping);

/*
 * Adds the records of a log, which are of one rank. Ends the command if it cannot be read, lacks a column, or is of a format
 * that is newer than this command. A call is the first of its kind if no earlier one in the log has the same collective,
 * communicator and size. For medians, it holds 8 bytes of each record for each grouping that is wanted.
 */
void summary_add(struct summary *s, FILE *f, const char *name);

#endif
