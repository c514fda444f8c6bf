/* SPDX-License-Identifier: BSD-2-Clause */
/* A call as `pleach choose` knows it, and what every engine offers for it. */
#ifndef PLEACH_OFFERS_H
#define PLEACH_OFFERS_H

#include "choose.h"

/* All that is known of the call. */
struct call {
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
bool nothing_to_do(const struct call *k);

/* Bytes of the largest of so many blocks. */
int64_t block_bytes(const struct call *k, const struct engine *e, int64_t blocks);

/* What an engine offers. */
struct row {
    const struct engine *engine;
    struct offer offer; /* seconds are 0 where nothing is predicted */
    int place;          /* among engines that offer the same: choose() takes the first */
};

enum { MOST_ROWS = 128 };

struct offers {
    struct row row[MOST_ROWS]; /* fastest first */
    int rows;
    double native; /* seconds */
};

/* The offers of all engines for a call; with `simplex`, of simplex variants, too. */
void offers_find(struct offers *o, const struct call *k, bool simplex);

/* Prints them: for people, for programs. */
void offers_text(const struct offers *o, const struct call *k);
void offers_tsv(const struct offers *o, const struct call *k);

#endif
