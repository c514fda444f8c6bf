/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the records of logs: by call site, engine, reason and collective. */
#ifndef PLEACH_SUMMARY_H
#define PLEACH_SUMMARY_H

#include <stdint.h>
#include <stdio.h>

/* Records that have something in common. */
struct group {
    const char *name;
    int64_t calls;
    double bytes, seconds; /* of all calls */
    double least, most;    /* seconds of a call */
    struct group *next;    /* in the order in which they came */
};

/* Groups that have the same thing in common; found by name in `tree` (tsearch). */
struct groups {
    struct group *newest;
    struct group **sorted; /* by summary_sort() */
    int count;
    void *tree;
};

enum { BY_SITE, BY_ENGINE, BY_REASON, BY_COLLECTIVE, GROUPINGS };

struct summary {
    struct groups by[GROUPINGS];
    struct group all;
    int64_t broken; /* lines that were not understood */
};

/* The column that a grouping goes by. */
const char *grouping_name(int grouping);

/* Adds the records of a log; ends the command if it cannot be read or lacks a column. Holds a line at a time. */
void summary_add(struct summary *s, FILE *f, const char *name);

/* Sorts groups: those that took most time first. */
void summary_sort(struct summary *s);

#endif
