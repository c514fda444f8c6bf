/* SPDX-License-Identifier: BSD-2-Clause */
/* The agenda: all calls to be measured, and how long each may take. */
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
    struct agenda_item item[MOST_ITEMS]; /* by collective, kind of operation, and ascending size */
};

/* What the options ask for: sizes from the least on, each `factor` times the one before, and the largest. */
void agenda_make(struct agenda *a, int factor);

/* Are two items of the same collective and kind of operation? */
bool agenda_same_call(const struct agenda_item *a, const struct agenda_item *b);

/* Writes "reduce, operation: exact" with ", operation: " as separator, or "bcast" alone, to text[TITLE]; returns text. */
const char *agenda_title(const struct agenda_item *item, const char *separator, char *text);

/* Puts the smallest size of all collectives first: where time runs out, none is left out altogether. */
void agenda_by_size(struct agenda *a);

/* Collective: shows the progress, and opens the trial of item i. False if the time is over, or the job interrupted. */
bool agenda_open(const struct agenda *a, int i, struct trial *t);

/* Collective: seconds for item i: its share, by its size, of the time that is left. */
double agenda_share(const struct agenda *a, int i);

#endif
