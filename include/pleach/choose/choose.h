/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Choose: facts and agreed settings -> plan. Pure, and blind to everything that may differ between ranks. Nothing local
 * selects an engine: no failed malloc, no alignment, no call site, no file, no measurement before all ranks have the same.
 */
#ifndef PLEACH_CHOOSE_H
#define PLEACH_CHOOSE_H

#include "cut.h"
#include "policy.h"
#include "question.h"

/* The plan for a call. The policy is that of the question's rule and facts. */
struct plan choose_answer(const struct settings *s, const struct policy *p, const struct question *q);

/* The same where history says nothing; `rule` as rules_find() gave it, may be NULL. */
struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f);

/*
 * The shape of a planned call. Where it has places that are in another order than the ranks, these take part in the order of
 * the places: then it is one of positions, as its root is.
 */
struct shape choose_shape(const struct facts *f, int64_t blocks, int group);

/* A row of the list from which the choice is made. */
struct offer {
    const struct engine *engine;
    const char *barred; /* why it may not serve here, in a few words; NULL: it may */
    bool reference;     /* barred for no other reason than that the model takes no references: it serves where it is named */
    int64_t blocks;     /* its best number of blocks that the settings allow; 0 for native */
    int64_t wide;       /* with as many of them in a piece; as in struct shape */
    double seconds;     /* predicted; 0 where it is barred, until choose_predict() */
    double cost;        /* what the choice goes by: these or, where nothing measured may, the regret (predict.h) */
};

enum { OFFERS_MOST = 64 }; /* at least engine_count() + 1 */

/*
 * Makes the list for a call: an offer for each row of the registry, in its order, and one without engine behind them.
 * choose() takes the least cost, with margins (constants.h). Returns the number of rows.
 */
int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list);

enum { CANDIDATES = 3 };

/*
 * The rows of the registry that are worth a trial: native, where it may serve, and two engines of the model, within
 * CANDIDATE_FACTOR (constants.h) of the least predicted time: the one that choose() would prefer, and the best one that does
 * not do the same, of the other sort (a line of ranks, or not) if there is one. Sets the rows and their predicted seconds
 * and returns their number; 0 where the model does not decide.
 */
int choose_candidates(const struct settings *s, const struct rule *rule, const struct facts *f, int row[CANDIDATES],
                      double seconds[CANDIDATES]);

/* Sets blocks and seconds of an offer, barred or not, of any engine; both 0 if it has no schedule for the call. */
void choose_predict(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *offer);

/*
 * For reports: what a planned call is expected to take, by the best that is known of the machine, though that may not have
 * decided; both 0 if the plan is native.
 */
struct expected choose_expected(const struct settings *s, const struct rule *rule, const struct facts *f,
                                const struct plan *plan);

/* The plan that takes this row, which is native or fits the call, whatever the model says; as if it had been named. */
struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row);

/*
 * Bytes of a block, or of a piece of several, that a rule has to name for a cut like this plan's in calls of about this
 * size; 0 for native.
 */
int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan);

/* Figures where nothing was measured, or where no measurement may count. */
extern const struct figures nominal_figures[LINKS];

/*
 * The cost model's figures for a call: what the settings say, else the rule, else what was measured, else nominal ones for
 * the kind of machine. `nominal`: as if nothing had been measured.
 */
struct figures choose_figures(const struct settings *s, const struct rule *rule, const struct machine *machine,
                              bool nominal);

#endif
