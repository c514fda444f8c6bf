/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a plan from facts and agreed settings. Pure: it sees nothing that may differ between ranks, and measurements only
 * once all ranks have the same numbers.
 */
#pragma once

#include "candidates.h"
#include "cut.h"
#include "lanes.h"
#include "policy.h"
#include "question.h"

/*
 * The call in the middle of its class: bytes that round to the same three significant binary digits. Costs are compared
 * there, so calls of a class get one engine, if the same engines may serve them.
 */
struct facts choose_class(const struct facts *f);

/* What a process keeps of its choices. */
struct choices;
extern struct choices choices_of_process;

/* `p`: the policy of the question's rule and facts. `kept` saves work; NULL: none. The plan does not depend on it. */
struct plan choose_answer(const struct settings *s, const struct policy *p, const struct question *q, struct choices *kept);

/* Sets the sizes for which the answer holds. `rules`: all rules, or NULL. */
void answer_extend(struct answer *a, const struct settings *s, const struct rules *rules, const struct facts *f);

/* Cuts the answer anew for another call that it covers. By arithmetic alone. */
void answer_cut(struct answer *a, const struct settings *s, const struct facts *f);

/* The plan of a call without a history. `rule`: from rules_find(), or NULL. For a single thread. */
struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f);

/*
 * The shape of a planned call. If the ranks are to take part in the order of their places (places.h), its ranks and root are
 * positions in that order.
 */
struct shape choose_shape(const struct facts *f, int64_t blocks);

/* `cell`: bytes of the segments' cells. 0: lanes do not fit. */
int choose_lanes(const struct facts *f, int64_t cell);

/* A row of the list of a choice. */
struct offer {
    const struct engine *engine;
    const char *barred; /* why it may not serve, in a few words; NULL: it may */
    bool reference;     /* barred by model.reference alone: serves if named */
    bool tried;         /* barred, but trials may choose it */
    int64_t blocks;     /* the best number within the settings; 0 for native */
    int64_t wide;       /* as in struct shape */
    double seconds;     /* predicted; 0 if barred and not `tried`, until choose_predict() */
    double overlap;     /* seconds saved if another call follows at once; see model_overlap() */
    double cost;        /* seconds, or the regret (predict.h) */
};

enum { OFFERS_MOST = 64 }; /* at least engine_count() + 1 */

/*
 * Makes the list for a call: an offer for each row of the registry, in its order, then one without an engine. Returns the
 * number of rows. choose() takes the least cost, with margins for earlier rows and native (constants.h).
 */
int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list);

/*
 * Sets the rows and predicted seconds of a call's candidates. `policy`: that of a call without a rule. Returns their number,
 * 0 if the model does not decide. They are native, up to two engines, the algorithms native:NAME that the call may use, and
 * lanes, if the call is too short for the model to take them; each but native within CANDIDATE_FACTOR of the least time.
 *
 * The first engine is that of choose(). The second is the best with another prediction, if possible of the other sort: a
 * chain of ranks or not. Further ones differ from all before, and may be references. At most one goes through a segment.
 * With a file of PLEACH_LEARN, short calls have up to SHORT_ENGINES. Other shadow trials have one, or two with dry_trials.
 * If they are for the file, measured figures choose the engines, the model's choice comes on top, and order_varies bars
 * none.
 */
int choose_candidates(const struct settings *s, const struct policy *policy, const struct facts *f, struct choices *kept,
                      int row[CANDIDATES], double seconds[CANDIDATES]);

/* Sets blocks and seconds, even of a barred offer; 0 if its engine has no schedule for the call. */
void choose_predict(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *offer);

/* For reports: by the best figures known, even if the choice may not use them. 0 if the plan is native. */
struct expected choose_expected(const struct settings *s, const struct rule *rule, const struct facts *f,
                                const struct plan *plan);

/* The plan as if the user had named this row: native, or an engine that fits the call. */
struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row);

/*
 * The bytes of `block=` in a rule that cuts calls of about this size as the plan does. 0: the plan is native, or its cut
 * depends on no figure and no setting.
 */
int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan);

/* For calls of up to `most` bytes: if the plan has one block, all of them have. */
int64_t choose_block_up_to(const struct settings *s, const struct facts *f, const struct plan *plan, int64_t most);

struct plan_of_stage {
    const struct engine *engine; /* NULL: not lanes_planned() */
    double seconds;              /* predicted, of all stages of this phase together */
};

/* The stages of a composed call, by phase (enum stage_phase), on the largest nodes. */
void choose_stages(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                   struct plan_of_stage stage[STAGE_PHASES]);

/* As bits: the rows from which choose_stage() chooses. */
uint64_t choose_stage_rows(const struct facts *f);

/*
 * The plan for a stage of a composed call (stages.h): never native, whatever the settings name. Their size of blocks holds,
 * and the figures of `rule`, that of the whole call, or NULL.
 */
struct plan choose_stage(const struct settings *s, const struct rule *rule, const struct facts *f);

/* Of a machine that was not measured, and for choices in which measurements do not count. */
extern const struct figures nominal_figures[LINKS];
extern const struct segment_figures nominal_segment;

/* Each figure is from the settings, else the rule, else the measurement unless `nominal`, else nominal_figures. */
struct figures choose_figures(const struct settings *s, const struct rule *rule, const struct machine *machine,
                              bool nominal);
