/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of engines that `pleach choose` prints for a call, with their predicted times. */
#pragma once

#include "query.h"

struct offers {
    struct offer row[OFFERS_MOST]; /* fastest first; seconds are 0 where nothing is predicted */
    int rows;
    double native; /* predicted seconds of the native call */
};

/* Makes the list that choose() picks from. */
void offers_find(struct offers *o, const struct query *q);

/* Prints the list in the format of --format. */
void offers_put(const struct offers *o, const struct query *q);
