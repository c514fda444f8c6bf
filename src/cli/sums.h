/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums over calls that have something in common, which is their name: of logs, and of reports that are compared. Without
 * memory, they end the command.
 */
#ifndef PLEACH_SUMS_H
#define PLEACH_SUMS_H

#include "rank_report.h"
#include "texts.h"

struct sum {
    const char *name;
    const char *shown; /* what people see of it: of a site, with lines of source */
    struct tally tally;
    double first;  /* in logs: seconds of those calls that were the first of their kind, see summary_add() */
    double middle; /* seconds of a call: the median if `each` is known, else the mean; set by sums_finish() */
    double *each;  /* seconds of the calls, least first after sums_finish(); NULL in reports, which do not have them */
    int64_t room;  /* for so many */
};

struct sums {
    struct texts names; /* a name's number is that of its sum */
    struct sum *sum;    /* in the order in which they came */
    int64_t room;
    struct sum **sorted; /* by sums_finish(): those that took most time first */
};

/* The sum of a name, to which a name that is not there is added: empty. It stays where it is until the next one is added. */
struct sum *sums_named(struct sums *all, const char *name);

/* NULL: it is not there. */
const struct sum *sums_find(const struct sums *all, const char *name);

/* Adds calls, which is what tally_add() does, and their seconds; each: NULL if these are not known. */
void sum_add(struct sum *g, const struct tally *calls, const double *each);

/* Finds middles, and the order. Nothing is added afterwards. */
void sums_finish(struct sums *all);

#endif
