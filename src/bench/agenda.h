/* SPDX-License-Identifier: BSD-2-Clause */
/* The agenda: all calls that the job measures, and the time that each of them may take. */
#pragma once

#include "contest.h"

enum { MOST_ITEMS = COLLECTIVES * 3 * 64, TITLE = 64 };

struct agenda_item {
    enum collective collective;
    enum op_class op;
    int64_t bytes;
    double seconds; /* that a rank has spent in such calls, by a report; 0: unknown */
};

struct agenda {
    int count;
    struct agenda_item item[MOST_ITEMS]; /* in the order of agenda_make() or agenda_by_size() */
};

/*
 * Fills the agenda from the options. The least size of the options comes first, each further size is `factor` times the
 * previous one, and the largest size of the options comes last; all are rounded down to multiples of 16 bytes. The items are
 * sorted by collective, operation class and size.
 */
void agenda_make(struct agenda *a, int factor);

/*
 * Collective: fills the agenda with the calls of a report, which rank 0 reads: a size for each row of its sizes. Of
 * collectives and operation classes, those of the options count. Ends the job if the file is no finished report, or has no
 * such calls. The items are sorted as above.
 */
void agenda_of_report(struct agenda *a, const char *file);

/* The order of items by collective, operation class and size, for qsort(). */
int agenda_by_call(const void *a, const void *b);

/* Do two items have the same collective and operation class? */
bool agenda_same_call(const struct agenda_item *a, const struct agenda_item *b);

/* Writes a title to text[TITLE], and returns it: "bcast", or "reduce exact" with the separator " ". */
const char *agenda_title(const struct agenda_item *item, const char *separator, char *text);

/* Sorts the agenda by size. If time runs out, the job has then measured every collective at some sizes. */
void agenda_by_size(struct agenda *a);

/*
 * Collective: says now and then how far the job is, and opens the trial of item i. Returns false, without a trial, if the
 * time limit has passed or a signal has interrupted the job.
 */
bool agenda_open(const struct agenda *a, int i, struct contest *t);

/*
 * Ends the agenda after its first i items: rank 0 says how many items, called "sizes" or the like, are undone, and why.
 * Returns the exit status. `right`: all results were right.
 */
int agenda_end(const struct agenda *a, int i, bool right, const char *items);

/* Collective: returns the seconds that item i may take: a share of the time that is left, larger for larger sizes. */
double agenda_share(const struct agenda *a, int i);
