/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of engines that `pleach choose` prints for a call, with their predicted times. */
#ifndef PLEACH_OFFERS_H
#define PLEACH_OFFERS_H

#include "query.h"

enum { MOST_ROWS = 2 * OFFERS_MOST };

struct offers {
    struct offer row[MOST_ROWS]; /* fastest first; seconds are 0 where nothing is predicted */
    int rows;
    double native; /* predicted seconds of the native call */
};

/* Makes the list that choose() picks from, with the simplex variants if `simplex` is set. */
void offers_find(struct offers *o, const struct query *q, bool simplex);

/* Print the list as a table, or as tab-separated values. */
void offers_text(const struct offers *o, const struct query *q);
void offers_tsv(const struct offers *o, const struct query *q);

#endif
