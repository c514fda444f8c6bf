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
    struct agenda_item item[MOST_ITEMS]; /* in the order of agenda_make() or agenda_by_size() */
};

/*
 * Lists the calls that the options ask for. Their sizes begin with the least; each is `factor` times the one before, but the
 * last is the largest that the options allow. Sorts them by collective, operation class and size.
 */
void agenda_make(struct agenda *a, int factor);

/* Have two items the same collective and operation class? */
bool agenda_same_call(const struct agenda_item *a, const struct agenda_item *b);

/* Writes a title to text[TITLE] and returns it: "bcast" or, if the separator is ", class ", "reduce, class exact". */
const char *agenda_title(const struct agenda_item *item, const char *separator, char *text);

/* Sorts the items by size: if time runs out, all collectives lack their largest sizes, and none lacks all sizes. */
void agenda_by_size(struct agenda *a);

/* Collective: shows the progress, and opens the trial of item i. False if the time is over or the job was interrupted. */
bool agenda_open(const struct agenda *a, int i, struct trial *t);

/* Collective: returns the seconds for item i. Items share the time that is left by their sizes. */
double agenda_share(const struct agenda *a, int i);

#endif
