/* SPDX-License-Identifier: BSD-2-Clause */
/* The call that the user of `pleach choose` describes, and a list of engines with their predicted times for it. */
#ifndef PLEACH_OFFERS_H
#define PLEACH_OFFERS_H

#include "choose.h"

/* The call, and all that its choice depends on. */
struct query {
    struct settings settings;
    const char *file;        /* name of the file of rules; "" if there is none */
    struct rules *rules;     /* or NULL */
    const struct rule *rule; /* the rule that holds for the call, or NULL */
    bool sited;              /* the call site is not given, and at some call site another rule would hold */
    struct machine machine;
    struct facts facts;
    struct plan plan;
};

/* Does the call have one rank or no bytes? Then there is nothing to choose or to predict. */
bool query_empty(const struct query *q);

/* The size of the largest block, in bytes, if the engine cuts the message into `blocks` blocks. */
int64_t block_bytes(const struct query *q, const struct engine *e, int64_t blocks);

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
