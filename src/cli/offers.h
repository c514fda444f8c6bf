/* SPDX-License-Identifier: BSD-2-Clause */
/* A call that the user of `pleach choose` asks about, and what every engine offers for it. */
#ifndef PLEACH_OFFERS_H
#define PLEACH_OFFERS_H

#include "choose.h"

/* All that is known of the call. */
struct query {
    struct settings settings;
    const char *file;        /* of the rules; "" if there is none */
    struct rules *rules;     /* or NULL */
    const struct rule *rule; /* that holds, or NULL */
    bool sited;              /* another rule might, if the call site were known */
    struct machine machine;
    struct facts facts;
    struct plan plan;
};

/* Is there nothing to choose, and nothing to predict? */
bool query_empty(const struct query *q);

/* Bytes of the largest of so many blocks. */
int64_t block_bytes(const struct query *q, const struct engine *e, int64_t blocks);

enum { MOST_ROWS = 2 * OFFERS_MOST };

struct offers {
    struct offer row[MOST_ROWS]; /* fastest first; seconds are 0 where nothing is predicted */
    int rows;
    double native; /* seconds */
};

/* The list that choose() picks from; with `simplex`, simplex variants, too. */
void offers_find(struct offers *o, const struct query *q, bool simplex);

/* Prints them: for people, for programs. */
void offers_text(const struct offers *o, const struct query *q);
void offers_tsv(const struct offers *o, const struct query *q);

#endif
