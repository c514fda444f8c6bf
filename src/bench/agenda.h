/* SPDX-License-Identifier: BSD-2-Clause */
/* The agenda: all calls that the job measures, and the time that each of them may take. */
#ifndef PLEACH_AGENDA_H
#define PLEACH_AGENDA_H

#include "trial.h"

enum { MOST_ITEMS = COLLECTIVES * 3 * 64, TITLE = 64 };

struct agenda_item {
    enum collective collective;
    enum op_class op;
    int64_t bytes;
};

struct agenda {
    int count;
    struct agenda_item item[MOST_ITEMS]; /* in the order of agenda_make() or agenda_by_size() */
};

/*
 * Fills the agenda by the options: sizes from the least on, each `factor` times the size before, and the largest size.
 * Sorts it by collective, operation class and size.
 */
void agenda_make(struct agenda *a, int factor);

/* Have two items the same collective and operation class? */
bool agenda_same_call(const struct agenda_item *a, const struct agenda_item *b);

/* Returns a title, in text[TITLE]: "bcast" or, with the separator ", operation: ", "reduce, operation: exact". */
const char *agenda_title(const struct agenda_item *item, const char *separator, char *text);

/* Sorts the agenda by size. If time runs out, every collective has been measured at some sizes. */
void agenda_by_size(struct agenda *a);

/* Collective: shows the progress, and opens the trial of item i. False if the time limit has passed or a signal came. */
bool agenda_open(const struct agenda *a, int i, struct trial *t);

/* Collective: the seconds that item i may take: its share of the rest of the time limit, by its size. */
double agenda_share(const struct agenda *a, int i);

#endif
