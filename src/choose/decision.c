/* SPDX-License-Identifier: BSD-2-Clause */
/* The decision; see decision.h. Phases follow each other; each gives the actions that it needs, one at a time. */
#include "hot.h"
#include "needs_of_history.h"

#include <assert.h>

static void forget(struct decision *d, enum action action)
{
    d->heard &= ~(UINT32_C(1) << action);
}

/* ---- Answers ------------------------------------------------------------------------------------------------------ */

static void take(struct decision *d)
{
    d->answer = d->place;
    if (d->answer->question.facts.bytes != d->question.facts.bytes) {
        answer_cut(d->answer, d->settings, &d->question.facts);
        d->fresh = true;
    }
    d->plan = d->answer->plan;
    d->earns = d->answer->earns;
}

static void answer(struct decision *d)
{
    if (!answer_same(d->place, &d->question)) {
        *d->place = (struct answer){.question = d->question,
                                    .policy = d->policy,
                                    .plan = choose_answer(d->settings, &d->policy, &d->question, d->known->choices)};
        if (d->policy.wants_figures)
            d->place->earns = budget_earns(&d->known->budget, d->settings, &d->question, &d->place->plan);
        answer_extend(d->place, d->settings, d->known->rules, &d->question.facts);
        d->place->question.facts.machine = NULL;
        d->fresh = true;
    }
    take(d);
}

static void give_up(struct decision *d, enum reason reason)
{
    d->plan = (struct plan){.engine = engines[0], .reason = reason};
    d->runs = engines[0];
    d->earns = 0;
    d->timed = d->verifies = false;
}

/* ---- What is known ------------------------------------------------------------------------------------------------ */

static void set_policy(struct decision *d)
{
    d->question.generation = d->known->machine.generation;
    d->policy = answer_alike(d->place, &d->question) ? d->place->policy
                                                     : policy_of(d->settings, d->question.rule, &d->question.facts);
    d->ruled = true;
}

/* A rule with a call site must hold on all ranks. */
static enum action need_rule(struct decision *d)
{
    const struct rules *rules = d->known->rules;
    if (d->ruled && d->question.generation == d->known->machine.generation)
        return ACTION_DONE;
    if (rules && !over(d, ACTION_SITES) && rules_sited(rules, &d->question.facts))
        return ACTION_SITES;
    d->question.rule = rules ? rules_find(rules, &d->question.facts, d->everywhere) : NULL;
    set_policy(d);
    return ACTION_DONE;
}

static enum action need_segment(const struct decision *d)
{
    if (!d->policy.wants_segment || d->known->machine.shared_tried)
        return ACTION_DONE;
    return acquired(d, ACTION_SHARE);
}

/* If the choice may depend on figures: inherit them, or measure when the budget allows it. */
static enum action need_figures(struct decision *d)
{
    struct known *k = d->known;
    k->due = k->due && machine_lacks(&k->machine);
    if (!machine_lacks(&k->machine) || !d->policy.wants_figures)
        return ACTION_DONE;
    budget_note(&k->budget, d->settings, &d->question.facts);
    k->due = budget_due(&k->budget);
    if (!k->machine.measured && !over(d, ACTION_INHERIT) && (!k->asked || k->due))
        return ACTION_INHERIT;
    if (!k->due || over(d, ACTION_MEASURE))
        return ACTION_DONE;
    return acquired(d, budget_looks(&k->budget, &k->machine) ? ACTION_LOOK : ACTION_MEASURE);
}

/* ---- The phases --------------------------------------------------------------------------------------------------- */

enum phase { READ, KNOW, SHADOW_TRIAL, SERVE, END };

/*
 * May another call with these facts take the plan without a collective action and without a change of struct known? Leaves
 * out the kind's needs, which answer_stands() checks.
 */
static bool needs_nothing(const struct decision *d)
{
    struct decision next = {.question.facts = d->question.facts};
    decision_begin(&next, d->settings, d->known, d->place, REASON_NONE);
    if (need_rule(&next) || need_segment(&next) || need_figures(&next))
        return false;
    next.kind = d->place->kind;
    return !unentered(&next);
}

/* The kind's calls differ in root and size of elements, so the engine may not fit this one. */
static bool tries_shadow(const struct decision *d)
{
    const int row = d->kind ? kind_tries(d->kind) : -1;
    return row >= 0 && policy_fits(engines[row], &d->question.facts);
}

static enum action know(struct decision *d)
{
    enum action action = ACTION_DONE;
    if (!d->known->settled)
        return ACTION_SETTLE;
    if ((action = need_rule(d)) || (action = need_segment(d)) || (action = need_figures(d)) || (action = need_history(d)))
        return action;
    if (unentered(d))
        enter(d);
    d->shadowed = tries_shadow(d);
    d->phase = d->shadowed ? SHADOW_TRIAL : SERVE;
    return ACTION_DONE;
}

static enum action acquire(const struct decision *d)
{
    return over(d, ACTION_PREPARE) ? acquired(d, ACTION_DONE) : ACTION_PREPARE;
}

/* The actions of a shadow trial, before the ranks acquire anything for the call itself. */
static enum action try_shadow(struct decision *d)
{
    enum action action = ACTION_DONE;
    if (d->plan.engine == NULL)
        d->plan = choose_row(d->settings, NULL, &d->question.facts, kind_tries(d->kind));
    if (!engine_by_mpi(d->plan.engine) && !over(d, ACTION_PREPARE))
        return ACTION_PREPARE;
    if (known_lacks_carrier(d->known, d->plan.engine))
        return acquired(d, ACTION_CARRY);
    if (!over(d, ACTION_RESERVE))
        return ACTION_RESERVE;
    if (!engine_by_mpi(d->plan.engine) && (action = acquire(d)))
        return action;
    return ACTION_SHADOW;
}

static void end_shadow(struct decision *d, const struct timed *when)
{
    kind_count(d->kind, &d->question.facts, when);
    d->kind = NULL; /* it has been counted */
    d->plan.engine = NULL;
    forget(d, ACTION_PREPARE);
    d->phase = SERVE;
}

static enum action serve(struct decision *d)
{
    enum action action;
    if (!d->answer) {
        if (!d->shadowed)
            set_question(d);
        answer(d);
        d->runs = d->settings->dry_run ? engines[0] : d->plan.engine;
        d->verifies = d->settings->verify && decision_runs_engine(d);
        assert(!d->verifies || !d->shadowed); /* the shadow trial has taken RESERVE for itself */
        d->answer->history = d->known->history;
        d->answer->kind = kind_of(d);
        d->answer->stands =
            d->runs == d->plan.engine && !d->verifies && !known_carries(d->known, d->plan.engine) && needs_nothing(d);
        d->timed = d->kind && kind_times(d->kind) && (d->plan.reason == REASON_TRIAL || d->plan.reason == REASON_LEARNED);
    }
    if (decision_runs_engine(d) && (action = acquire(d)))
        return action;
    if (known_lacks_carrier(d->known, d->runs))
        return acquired(d, ACTION_CARRY);
    return d->verifies && !over(d, ACTION_RESERVE) ? ACTION_RESERVE : ACTION_RUN;
}

HOT void decision_begin(struct decision *d, const struct settings *s, struct known *known, struct answer *place,
                        enum reason reason)
{
    d->settings = s;
    d->known = known;
    d->place = place;
    d->question.rule = NULL;
    d->question.learned = -1;
    d->question.trial = false;
    d->question.generation = 0;
    d->answer = NULL;
    d->kind = NULL;
    d->everywhere = 0;
    d->earns = 0;
    d->scratch = 0;
    d->runs = engines[0];
    d->timed = d->verifies = d->fresh = d->unchecked = d->teaches = false;
    d->ruled = d->drifted = d->shadowed = false;
    d->heard = 0;
    d->phase = READ;
    if (!reason)
        return;
    give_up(d, reason);
    d->phase = END;
}

#ifndef NDEBUG
/* Would the phases lead to the plan of the kept answer, without a collective action before? */
static bool comes_to_the_same(const struct decision *d)
{
    struct decision slow = *d;
    decision_begin(&slow, d->settings, d->known, d->place, REASON_NONE);
    slow.phase = KNOW;
    const enum action action = decision_next(&slow);
    return action == (decision_runs_engine(d) ? ACTION_PREPARE : ACTION_RUN) && slow.answer == d->answer &&
           slow.kind == d->kind && !slow.fresh && !slow.timed && slow.runs == d->runs && !slow.verifies;
}
#endif

static void repeat(struct decision *d)
{
    take(d);
    d->question.rule = d->place->question.rule;
    d->question.learned = d->place->question.learned;
    d->question.generation = d->place->question.generation;
    d->policy = d->place->policy;
    d->kind = d->place->kind;
    d->runs = d->plan.engine;
}

static void begin_anew(struct decision *d)
{
    const bool fresh = d->fresh;
    decision_begin(d, d->settings, d->known, d->place, REASON_NONE);
    d->fresh = fresh;
    d->heard = UINT32_C(1) << ACTION_REPEAT;
}

static enum action read(struct decision *d)
{
    if (!over(d, ACTION_REPEAT) && answer_stands(d->place, d->known, &d->question.facts)) {
        repeat(d);
        assert(comes_to_the_same(d));
        if (decision_runs_engine(d))
            return ACTION_REPEAT;
        d->phase = END;
        d->unchecked = true;
        return ACTION_RUN;
    }
    d->plan = (struct plan){.engine = NULL};
    return ACTION_VALIDATE;
}

static enum action end(const struct decision *d)
{
    return !over(d, ACTION_RUN) ? ACTION_RUN : d->kind && !over(d, ACTION_CHECK) ? ACTION_CHECK : ACTION_DONE;
}

HOT enum action decision_next(struct decision *d)
{
    enum action action = ACTION_DONE;
    switch (d->phase) {
    case READ:
        return read(d);
    case KNOW:
        action = know(d);
        return action ? action : decision_next(d);
    case SHADOW_TRIAL:
        return try_shadow(d);
    case SERVE:
        return serve(d);
    default:
        return end(d);
    }
}

/* ---- Results of actions ------------------------------------------------------------------------------------------- */

/* Ends a shadow trial, and makes the call native, on all ranks. */
static void fail_call(struct decision *d, enum reason reason)
{
    if (d->phase == SHADOW_TRIAL)
        end_shadow(d, NULL);
    if (d->kind)
        kind_count(d->kind, &d->question.facts, NULL);
    d->kind = NULL;
    give_up(d, reason);
    d->phase = END;
}

/* Without memory, a trial is left out. What else it lacks, the call lacks, too. */
static void lack(struct decision *d, enum reason what)
{
    assert(what);
    if (d->phase == SHADOW_TRIAL && what == REASON_NO_MEMORY)
        end_shadow(d, NULL);
    else
        fail_call(d, what);
}

static void heard_no(struct decision *d, enum action action)
{
    switch (action) {
    case ACTION_REPEAT:
        begin_anew(d);
        break;
    case ACTION_VALIDATE:
        d->kind = NULL;
        give_up(d, REASON_INVALID);
        d->phase = END;
        break;
    case ACTION_SETTLE:
        fail_call(d, REASON_NO_MEMORY);
        break;
    case ACTION_MEASURE:
        d->known->machine.generation++; /* answers must not rest on what was not due */
        break;
    case ACTION_RESERVE:
        lack(d, REASON_NO_MEMORY);
        break;
    case ACTION_CARRY:
        lack(d, REASON_NO_CONTEXT);
        break;
    case ACTION_ACQUIRE:
        lack(d, d->lacks);
        break;
    case ACTION_CHECK:
        d->kind = NULL;
        break;
    default:
        break;
    }
}

static void heard_yes(struct decision *d, enum action action)
{
    switch (action) {
    case ACTION_REPEAT:
        d->heard |= UINT32_C(1) << ACTION_RUN;
        d->phase = END;
        break;
    case ACTION_VALIDATE:
        d->phase = KNOW;
        break;
    case ACTION_SETTLE:
        assert(d->known->settled && d->known->machine.generation > 0);
        break;
    case ACTION_PREPARE:
        forget(d, ACTION_ACQUIRE); /* it was for measuring, or another operation */
        break;
    case ACTION_MEASURE:
        if (d->drifted)
            history_clear(d->known->history);
        break;
    case ACTION_SHADOW:
        end_shadow(d, &d->when);
        break;
    default:
        break;
    }
}

HOT void decision_heard(struct decision *d, enum action action, bool yes)
{
    const bool looked = over(d, ACTION_VALIDATE);
    d->heard |= UINT32_C(1) << action;
    if (action == ACTION_INHERIT)
        d->known->asked = true;
    if (yes)
        heard_yes(d, action);
    else
        heard_no(d, action);
    if (action == ACTION_MEASURE)
        d->drifted = false;
    if (action == ACTION_RUN)
        d->phase = END;
    const bool ran = (action == ACTION_RUN && (looked || yes)) || action == ACTION_REPEAT;
    if (d->kind && (ran || action == ACTION_CHECK)) {
        kind_count(d->kind, &d->question.facts, d->timed ? &d->when : NULL);
        d->kind = NULL;
    }
}
