/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the records of logs: by call site, engine, reason and collective. */
#ifndef PLEACH_SUMMARY_H
#define PLEACH_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The sum over records that have something in common. */
struct sum {
    const char *name;
    int64_t calls;
    double bytes, seconds; /* of all calls */
    double least, most;    /* seconds of a call */
    struct sum *next;      /* in the order in which they came */
};

/* Sums over what has the same kind of thing in common; found by name in `tree` (tsearch). */
struct sums {
    struct sum *newest;
    struct sum **sorted; /* by summary_sort() */
    int count;
    void *tree;
};

enum { BY_SITE, BY_ENGINE, BY_REASON, BY_COLLECTIVE, GROUPINGS };

struct summary {
    struct sums by[GROUPINGS];
    struct sum all;
    int64_t broken; /* lines that were not understood */
    bool dry;       /* some of the logs are of dry runs: the engine is what would have served */
};

/* The column that a grouping goes by. */
const char *grouping_name(int grouping);

/* Adds the records of a log; ends the command if it cannot be read or lacks a column. Holds a line at a time. */
void summary_add(struct summary *s, FILE *f, const char *name);

/* Sorts the sums: those that took most time first. */
void summary_sort(struct summary *s);

#endif
