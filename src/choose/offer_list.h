/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of offers, for answers, picks along the axis and candidates; see choose.c. */
#pragma once

#include "axis.h"
#include "hold.h"

/* Too long for a small stack. */
extern struct shared_offers {
    pthread_mutex_t lock;
    struct offer offer[OFFERS_MOST];
} offers_of_call;

/*
 * The list of a call f, with the costs at the size of `at`. Shadow trials for a file also take engines with order_varies.
 * Returns the number of rows.
 */
int offers_list(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f,
                const struct facts *at, struct offer *list);

/* Picks for f, by the costs at the size of `at`. `below`: of the class below, or NULL. */
struct pick offers_pick(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f,
                        const struct facts *at, const struct pick *below);

/*
 * The least regret, or NULL. Regret: the cost over the least of all, alone or in a row, whichever is more. `modelled`: later
 * rows must be better by a margin.
 */
const struct offer *offers_least(const struct offer *list, bool modelled);

/* Is x hardly dearer than y, alone and in a row? */
bool offers_hardly_dearer(const struct offer *x, const struct offer *y);

/* May the engine serve or, with `trial`, be tried? */
bool offers_may_serve(const struct policy *p, const struct facts *f, int row, bool trial);

struct plan offer_plan(const struct offer *o, enum reason reason);
