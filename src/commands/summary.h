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
    int64_t firsts; /* first calls; see summary_add() */
    int64_t broken; /* lines that were not understood */
    bool dry;       /* some logs are of dry runs: LOG_ENGINE has the engines that would have served */
};

/* The name of a grouping: that of its column, or "size" for size classes, such as 64K for 32K < `bytes` <= 64K. */
const char *grouping_name(int grouping);

/*
 * Adds the records of a log. Ends the command if the log cannot be read, lacks a column, or has a newer format
 * than this command knows. A first call is the first call in a log with this rank, collective, communicator and size. For
 * medians, keeps the time of each record, 8 bytes, for each wanted grouping.
 */
void summary_add(struct summary *s, FILE *f, const char *name);

#endif
