/* SPDX-License-Identifier: BSD-2-Clause */
/* All calls that a job measures, and the time for each. */
#pragma once

#include "contest.h"

enum { MOST_ITEMS = COLLECTIVES * 3 * 64, TITLE = 64 };

struct agenda_item {
    enum collective collective;
    enum op_class op;
    int64_t bytes;
    double seconds; /* of a rank in such calls, by a report; 0: unknown */
};

struct agenda {
    int count;
    struct agenda_item item[MOST_ITEMS]; /* sorted by agenda_make() or agenda_by_size() */
};

/*
 * By the options: from the least size on, each `factor` times the one before, up to the largest; multiples of 16, rounded
 * down. Sorted by collective, class, size.
 */
void agenda_make(struct agenda *a, int factor);

/*
 * Collective. Calls of a report, which rank 0 reads: a size for each of its rows, of the options' collectives and classes.
 * Ends the job if it is no finished report, or has no such calls. Sorted as above.
 */
void agenda_of_report(struct agenda *a, const char *file);

/* By collective, class, size; for qsort(). */
int agenda_by_call(const void *a, const void *b);

/* The same but for the size? */
bool agenda_same_call(const struct agenda_item *a, const struct agenda_item *b);

/* In text[TITLE]: "bcast", or "reduce exact" with " ". Returns text. */
const char *agenda_title(const struct agenda_item *item, const char *separator, char *text);

/* Sorts by size. If time runs out, every collective then has some sizes. */
void agenda_by_size(struct agenda *a);

/* Collective. Now and then tells the progress; opens the trial of item i. False: out of time, or interrupted. */
bool agenda_open(const struct agenda *a, int i, struct contest *t);

/* After i items. Rank 0 says how many items ("sizes" or the like) are undone, and why. Returns the exit status. */
int agenda_end(const struct agenda *a, int i, bool right, const char *items);

/* Collective. Seconds for item i, more for larger sizes. */
double agenda_share(const struct agenda *a, int i);
