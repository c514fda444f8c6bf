/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Choose: makes a plan from facts and agreed settings. It is pure, and sees nothing that may differ between ranks. So a
 * failed malloc, an alignment, a call site or a file on one rank never selects an engine. Choose sees a measurement only
 * after all ranks have the same numbers.
 */
#pragma once

#include "candidates.h"
#include "cut.h"
#include "lanes.h"
#include "policy.h"
#include "question.h"

/*
 * The call in the middle of a call's class. The bytes of a class round to the same number of three significant binary
 * digits. Costs of engines are compared there, so calls of one class get the same engine, if the same engines may serve.
 */
struct facts choose_class(const struct facts *f);

/* What a process keeps of its choices. Its settings and rules stay the same, and each machine with places has an id. */
struct choices;
extern struct choices choices_of_process;

/*
 * Returns the plan for a question. `p` is the policy for the question's rule and facts. Takes the engine of the call's
 * class from `*kept`, or finds it and keeps it there. `kept` may be NULL; the plan does not depend on it.
 */
struct plan choose_answer(const struct settings *s, const struct policy *p, const struct question *q, struct choices *kept);

/* Finds the sizes to which the answer to its question extends; `rules`: all rules, or NULL. */
void answer_extend(struct answer *a, const struct settings *s, const struct rules *rules, const struct facts *f);

/* Makes the answer that of another call that it covers, by arithmetic alone. */
void answer_cut(struct answer *a, const struct settings *s, const struct facts *f);

/* Returns the plan that a call has without a history. `rule` is from rules_find(), or NULL. For a single thread. */
struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f);

/*
 * Returns the shape of a planned call. If the ranks are to take part in the order of their places (places.h), the shape
 * numbers them by positions in this order; its root is a position, too.
 */
struct shape choose_shape(const struct facts *f, int64_t blocks);

/* The most lanes of a call if the segments have cells of so many bytes; 0 if lanes do not fit. */
int choose_lanes(const struct facts *f, int64_t cell);

/* A row of the list from which the choice is made. */
struct offer {
    const struct engine *engine;
    const char *barred; /* why the engine may not serve the call, in a few words; NULL if it may */
    bool reference;     /* barred only because the model leaves the engine out (model.reference): it serves if it is named */
    bool tried;         /* barred, but trials may choose it */
    int64_t blocks;     /* the engine's best number of blocks that the settings allow; 0 for native engines */
    int64_t wide;       /* blocks in a piece, as in struct shape */
    double seconds;     /* the predicted time; 0 if barred and not `tried`, until choose_predict() sets it */
    double overlap;     /* seconds that a call saves if another one follows it at once; see predict_fitting() */
    double cost;        /* the seconds, or the regret if no measurement decides (predict.h) */
};

enum { OFFERS_MOST = 64 }; /* at least engine_count() + 1 */

/*
 * Makes the list for a call: an offer for each row of the registry, in its order, and at the end an offer without an engine.
 * choose() takes the offer with the least cost, alone and in a row (least_engine() in choose.c), unless a setting lets it
 * draw one at random. If the model decides, margins favour earlier rows and native (constants.h). Returns the number of the
 * registry's rows.
 */
int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list);

/*
 * Sets the candidates for a call, as rows of the registry, and their predicted seconds. `policy`: that of a call that no
 * rule covers. Returns the number of candidates, which is 0 if the model does not decide about the call. The candidates are
 * native (if it may serve), up to two engines, all algorithms native:NAME that the call may use, and lanes, if the call is
 * too short for the model to take them. Every candidate except native has a predicted time of at most CANDIDATE_FACTOR
 * (constants.h) times the least one.
 *
 * With a file of PLEACH_LEARN, calls below SHORT_BYTES have up to SHORT_ENGINES engines. Shadow trials of all other calls
 * have one engine, but two in a dry run with dry_trials. If shadow trials are for a file, measured figures choose the
 * engines, and the one that the model prefers is a candidate, too. Engines with model.order_varies may also be candidates,
 * as a rule fixes the size of blocks.
 *
 * The first engine is the one that choose() would take. The second is the best engine whose prediction differs from that of
 * the first. If the first engine sends along a chain of ranks, an engine without a chain is preferred as the second, and
 * the other way round. Each further one is the fastest whose prediction differs from those before; it may be a reference.
 * At most one of these engines goes through a segment.
 */
int choose_candidates(const struct settings *s, const struct policy *policy, const struct facts *f, struct choices *kept,
                      int row[CANDIDATES], double seconds[CANDIDATES]);

/* Sets the blocks and seconds of an offer, even of a barred one. Both stay 0 if its engine has no schedule for the call. */
void choose_predict(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *offer);

/*
 * Returns the expected times of a planned call, for reports. They follow from the best figures known of the machine, even if
 * the choice could not depend on these. Both times are 0 if the plan is native.
 */
struct expected choose_expected(const struct settings *s, const struct rule *rule, const struct facts *f,
                                const struct plan *plan);

/*
 * Returns the plan by which the engine in this row of the registry serves the call, as if the user had named that engine.
 * The engine is native or fits the call.
 */
struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row);

/*
 * Returns a number of bytes for the action `block=` of a rule: with it, calls of about this call's size are cut as in this
 * plan. Returns 0 if a rule needs no `block=`: the plan is native, or its cut depends on no figure and on no setting.
 */
int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan);

/* Does the same for calls of up to `most` bytes. If the plan has one block, all of them have. */
int64_t choose_block_up_to(const struct settings *s, const struct facts *f, const struct plan *plan, int64_t most);

struct plan_of_stage {
    const struct engine *engine; /* NULL: lanes_planned() is false for this phase */
    double seconds;              /* predicted, of all stages of a call in this phase together */
};

/* Sets the engines and seconds of a composed call's stages, by phase (enum stage_phase), on the largest nodes. */
void choose_stages(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                   struct plan_of_stage stage[STAGE_PHASES]);

/* The rows of the registry, as bits, from which choose_stage() chooses. */
uint64_t choose_stage_rows(const struct facts *f);

/*
 * Returns the plan for a stage of a composed call (stages.h): an engine, never native, whatever engines the settings name.
 * The settings' size of blocks holds, and the figures of the rule for the whole call, which may be NULL.
 */
struct plan choose_stage(const struct settings *s, const struct rule *rule, const struct facts *f);

/* The figures of a machine that was not measured. A choice in which no measurement may count uses them, too. */
extern const struct figures nominal_figures[LINKS];
extern const struct segment_figures nominal_segment;

/*
 * Returns the cost model's figures for a call. Each figure comes from the settings, else from the rule, else from the
 * measurement, else from nominal_figures. `nominal`: the measurement does not count.
 */
struct figures choose_figures(const struct settings *s, const struct rule *rule, const struct machine *machine,
                              bool nominal);
