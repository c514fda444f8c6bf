/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums over calls that share a property, such as their call site; the sum's name is this property. The calls come from logs
 * or from reports. If memory runs out, the functions end the command.
 */
#pragma once

#include "rank_report.h"
#include "texts.h"

struct sum {
    const char *name;
    struct tally tally;
    int ranks;     /* that made such calls; 0: unknown */
    double middle; /* seconds of a call: the median if `each` is known, else the mean; set by sums_finish() */
    double *each;  /* seconds of the calls, least first after sums_finish(); NULL in reports, which do not have them */
    int64_t room;  /* room of `each`, in calls */
};

struct sums {
    struct texts names; /* a name's number is that of its sum */
    struct sum *sum;    /* in the order in which they came */
    int64_t room;
};

/* Returns the sum of a name, and adds an empty sum for a new name. The sum stays where it is until another one is added. */
struct sum *sums_named(struct sums *all, const char *name);

/* Returns the sum of a name; NULL if there is none. */
const struct sum *sums_find(const struct sums *all, const char *name);

/*
 * Adds calls to a sum, as tally_add() does, and the seconds of each call; `each` is NULL if these are unknown. `ranks`: the
 * ranks that made calls of the sum, these included; 0: unknown.
 */
void sum_add(struct sum *g, int ranks, const struct tally *calls, const double *each);

/* Sets `middle` of all sums. Nothing is added afterwards. */
void sums_finish(struct sums *all);
