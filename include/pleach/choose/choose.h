/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes plans. Pure: sees nothing that may differ between ranks, and measurements only once all share them. */
#pragma once

#include "candidates.h"
#include "cut.h"
#include "lanes.h"
#include "policy.h"
#include "question.h"

/* The call in the middle of its class, where costs are compared. Bytes of a class round to the same three binary digits. */
struct facts choose_class(const struct facts *f);

struct choices;
extern struct choices choices_of_process;

/* `p`: the policy of the question's rule and facts. `kept` saves work and does not change the plan; or NULL. */
struct plan choose_answer(const struct settings *s, const struct policy *p, const struct question *q, struct choices *kept);

/* Sets the sizes for which the answer holds. `rules`: all rules, or NULL. */
void answer_extend(struct answer *a, const struct settings *s, const struct rules *rules, const struct facts *f);

/* Cuts the answer, by arithmetic alone, for another call that it covers. */
void answer_cut(struct answer *a, const struct settings *s, const struct facts *f);

/* The plan of a call without a history. `rule`: or NULL. For a single thread. */
struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f);

/* The shape's ranks are positions if the ranks are to take part in the order of their places (places.h). */
struct shape choose_shape(const struct facts *f, int64_t blocks);

/* The most lanes with cells of `cell` bytes; 0: lanes do not fit. */
int choose_lanes(const struct facts *f, int64_t cell);

struct offer {
    const struct engine *engine;
    const char *barred; /* why it may not serve, in a few words; NULL: it may */
    bool reference;     /* barred by model.reference alone: serves if named */
    bool tried;         /* barred, but trials may choose it */
    int64_t blocks;     /* the best within the settings; 0 for native */
    int64_t wide;
    double seconds; /* 0 if barred and not `tried`, until choose_predict() */
    double overlap; /* saved if another call follows at once; model_overlap() */
    double cost;    /* seconds, or the regret */
};

enum { OFFERS_MOST = 64 }; /* at least engine_count() + 1 */

/*
 * An offer for each row of the registry, then one without an engine. Returns the number of rows of the registry. choose()
 * takes the least cost, with margins for earlier rows and native (constants.h).
 */
int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list);

/*
 * Sets rows and predicted seconds of a call's candidates. `policy`: without a rule. Returns their number, 0 if the model
 * does not decide: native, up to two engines, algorithms native:NAME, and lanes where the call is too short for the model to
 * take them; each but native within CANDIDATE_FACTOR of the least time.
 *
 * The first engine is choose()'s; the second predicts another time, if possible by the other sort: a chain of ranks or not.
 * Further ones differ from all before, and may be references; at most one goes through a segment. With a file of
 * PLEACH_LEARN, short calls have up to SHORT_ENGINES. Other shadow trials have one, or two with dry_trials. For the file,
 * measured figures choose, the model's choice comes on top, and order_varies bars none.
 */
int choose_candidates(const struct settings *s, const struct policy *policy, const struct facts *f, struct choices *kept,
                      int row[CANDIDATES], double seconds[CANDIDATES]);

/* Sets blocks and seconds of any offer; to 0 if its engine has no schedule for the call. */
void choose_predict(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *offer);

/* Expected times for reports, by the best figures known; 0 if the plan is native. */
struct expected choose_expected(const struct settings *s, const struct rule *rule, const struct facts *f,
                                const struct plan *plan);

/* The plan as if the user had named this row, which is native or fits. */
struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row);

/* Bytes for `block=` in a rule that cuts calls of about this size as the plan does. 0: a rule needs none. */
int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan);

/* Up to `most` bytes: if the plan has one block, all have. */
int64_t choose_block_up_to(const struct settings *s, const struct facts *f, const struct plan *plan, int64_t most);

struct plan_of_stage {
    const struct engine *engine; /* NULL: not lanes_planned() */
    double seconds;              /* predicted, of all stages of the phase */
};

/* Engines and seconds of a composed call's stages, on the largest nodes. */
void choose_stages(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                   struct plan_of_stage stage[STAGE_PHASES]);

/* The rows from which choose_stage() chooses, as bits. */
uint64_t choose_stage_rows(const struct facts *f);

/* The plan of a stage (stages.h), never native, whatever settings name. `rule`: the whole call's, for figures; or NULL. */
struct plan choose_stage(const struct settings *s, const struct rule *rule, const struct facts *f);

/* For machines that were not measured, and choices without measurements. */
extern const struct figures nominal_figures[LINKS];
extern const struct segment_figures nominal_segment;

/* Each figure is from the settings, else the rule, else the measurement unless `nominal`, else nominal_figures. */
struct figures choose_figures(const struct settings *s, const struct rule *rule, const struct machine *machine,
                              bool nominal);
