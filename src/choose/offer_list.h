/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of offers, for what chooses from them: answers, picks along the axis, candidates of trials. See choose.c. */
#pragma once

#include "axis.h"
#include "hold.h"

/* The list for a call, which is too long for a small stack. */
extern struct shared_offers {
    pthread_mutex_t lock;
    struct offer offer[OFFERS_MOST];
} offers_of_call;

/*
 * Makes the list of a call f: what bars an engine follows from f, the costs are those at the size of `at`. Shadow trials for
 * a file also take engines with order_varies, as a rule fixes the size of blocks. Returns the number of its rows.
 */
int offers_list(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f,
                const struct facts *at, struct offer *list);

/* Picks the engine of a call f, by the costs at the size of `at`. `below`: the pick of the class below, or NULL. */
struct pick offers_pick(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f,
                        const struct facts *at, const struct pick *below);

/*
 * Returns the engine with the least regret, or NULL. The regret is the cost over the least cost of all engines, for a call
 * alone or for one in a row, whichever is more. If the model decides, a later row of the list has to be better by a margin.
 */
const struct offer *offers_least(const struct offer *list, bool modelled);

/* Does the call cost hardly more by x than by y, alone and in a row? */
bool offers_hardly_dearer(const struct offer *x, const struct offer *y);

/* May the engine in this row serve, or with `trial` be tried? */
bool offers_may_serve(const struct policy *p, const struct facts *f, int row, bool trial);

struct plan offer_plan(const struct offer *o, enum reason reason);
