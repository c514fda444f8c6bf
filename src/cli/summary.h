/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the records of logs: by call site, engine, reason, collective, size, rank and communicator. */
#ifndef PLEACH_SUMMARY_H
#define PLEACH_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The sum over records that have something in common. */
struct sum {
    const char *name;
    const char *shown; /* what people see of it: of a site, with lines of source */
    int64_t calls;
    double bytes, seconds; /* of all calls */
    double least, most;    /* seconds of a call */
    double first;          /* seconds of those calls that were the first of their kind, on their rank; see summary_add() */
    double median;         /* seconds of a call; set by summary_sort() */
    double *each;          /* seconds of the calls */
    int64_t room;          /* for so many; 0: nobody wants to know */
    struct sum *next;      /* in the order in which they came */
};

/* Sums over what has the same kind of thing in common; found by name in `tree` (tsearch). */
struct sums {
    struct sum *newest;
    struct sum **sorted; /* by summary_sort() */
    int count;
    void *tree;
};

enum { BY_SITE, BY_ENGINE, BY_REASON, BY_COLLECTIVE, BY_SIZE, BY_RANK, BY_COMM, GROUPINGS };

struct summary {
    bool wanted[GROUPINGS]; /* set before the first summary_add() */
    struct sums by[GROUPINGS];
    struct sum all;
    int64_t firsts; /* calls that were the first of their kind */
    int64_t broken; /* lines that were not understood */
    bool dry;       /* some of the logs are of dry runs: the engine is what would have served */
};

/* The column that a grouping goes by; BY_SIZE is made from `bytes`: 64K stands for all that is more than 32K, too. */
const char *grouping_name(int grouping);

/*
 * Adds the records of a log, which are of one rank. Ends the command if it cannot be read, lacks a column, or is of a format
 * that is newer than this command. A call is the first of its kind if no earlier one in the log has the same collective,
 * communicator and size. For medians, it holds 8 bytes of each record for each grouping that is wanted.
 */
void summary_add(struct summary *s, FILE *f, const char *name);

/* Sorts the sums, those that took most time first, and finds medians. */
void summary_sort(struct summary *s);

#endif
