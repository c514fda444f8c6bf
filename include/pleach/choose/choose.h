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

/* The plan for a call. `p` is the policy of the question's rule and facts. */
struct plan choose_answer(const struct settings *s, const struct policy *p, const struct question *q);

/* The same for a call without history; `rule` as rules_find() gave it, may be NULL. */
struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f);

/*
 * The shape of a planned call. If the order of its places differs from that of the ranks, the ranks take part in the order
 * of the places; the shape and its root are then positions.
 */
struct shape choose_shape(const struct facts *f, int64_t blocks, int group);

/* A row of the list from which the choice is made. */
struct offer {
    const struct engine *engine;
    const char *barred; /* why it may not serve here, in a few words; NULL: it may */
    bool reference;     /* barred only because the model takes no references: it serves if it is named */
    int64_t blocks;     /* its best number of blocks that the settings allow; 0 for native */
    int64_t wide;       /* blocks in a piece; as in struct shape */
    double seconds;     /* predicted; 0 if barred, until choose_predict() */
    double cost;        /* what the choice minimises: the seconds or, if no measurement may decide, the regret (predict.h) */
};

enum { OFFERS_MOST = 64 }; /* at least engine_count() + 1 */

/*
 * Makes the list for a call: an offer for each row of the registry, in its order, then one without an engine. choose() takes
 * the least cost, with margins (constants.h). Returns the number of rows.
 */
int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list);

enum { CANDIDATES = 3 };

/*
 * The rows of the registry that are worth a trial: native, if it may serve, and two engines of the model within
 * CANDIDATE_FACTOR (constants.h) of the least predicted time. The first engine is the one that choose() would prefer. The
 * second is the best one that does not do the same, preferably of the other sort (a line of ranks, or not). There is no
 * second one if both would go through a segment. Sets the rows and their predicted seconds. Returns their number; 0 if the
 * model does not decide.
 */
int choose_candidates(const struct settings *s, const struct rule *rule, const struct facts *f, int row[CANDIDATES],
                      double seconds[CANDIDATES]);

/* Sets blocks and seconds of any engine's offer, even a barred one; both 0 if the engine has no schedule for the call. */
void choose_predict(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *offer);

/*
 * For reports: the expected times of a planned call, from the best figures known of the machine, even if these did not
 * decide. Both 0 if the plan is native.
 */
struct expected choose_expected(const struct settings *s, const struct rule *rule, const struct facts *f,
                                const struct plan *plan);

/* The plan with this row, as if the user had named it, whatever the model says. The row is native or fits the call. */
struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row);

/*
 * Bytes of a block, or of a piece of several blocks. A rule that names this size gives calls of about this size a cut like
 * this plan's. 0 for native.
 */
int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan);

/* Figures for a machine that was not measured, or for a choice in which no measurement may count. */
extern const struct figures nominal_figures[LINKS];
extern const struct segment_figures nominal_segment;

/*
 * The cost model's figures for a call: those of the settings, else of the rule, else the measured ones, else nominal ones
 * for the kind of machine. `nominal`: ignores the measured ones.
 */
struct figures choose_figures(const struct settings *s, const struct rule *rule, const struct machine *machine,
                              bool nominal);

#endif
