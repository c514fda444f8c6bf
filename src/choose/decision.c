/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decision for a call; see decision.h. Phases follow each other; each gives the actions that it needs, one at a time,
 * and ends when it needs none. The needs of a phase follow from what is known and from the actions that were heard.
 */
#include "decision.h"

#include "choose.h"
#include "constants.h"
#include "hash.h"

#include <assert.h>
#include <string.h>

static bool over(const struct decision *d, enum action action)
{
    return d->heard >> action & 1;
}

/* The action is to be taken again. */
static void forget(struct decision *d, enum action action)
{
    d->heard &= ~(UINT32_C(1) << action);
}

/* The action, once what is needed for it has been acquired. */
static enum action acquired(const struct decision *d, enum action action)
{
    return over(d, ACTION_ACQUIRE) ? action : ACTION_ACQUIRE;
}

/* ---- Answers ------------------------------------------------------------------------------------------------------ */

int answer_place(const struct facts *f)
{
    return (int)((spread64((uint64_t)f->bytes * COLLECTIVES + f->collective) + (uint64_t)f->root) % ANSWERS);
}

/* Does this rank have the answer at d->place? The rule and the generation are set. */
static bool is_kept(const struct decision *d)
{
    return question_same(&d->place->question, &d->question);
}

static void answer(struct decision *d)
{
    d->answer = d->place;
    if (!is_kept(d)) {
        *d->answer = (struct answer){
            .question = d->question, .policy = d->policy, .plan = choose_answer(d->settings, &d->policy, &d->question)};
        d->answer->question.facts.machine = NULL;
        d->fresh = true;
    }
    d->plan = d->answer->plan;
}

/* The call is native, whatever the plan was. */
static void give_up(struct decision *d, enum reason reason)
{
    d->plan = (struct plan){.engine = engines[0], .reason = reason};
    d->timed = d->runs_engine = false;
}

/* ---- What is known ------------------------------------------------------------------------------------------------ */

static void set_policy(struct decision *d)
{
    const struct answer *a = d->place;
    d->question.generation = d->known->machine.generation;
    d->policy = question_alike(&a->question, &d->question) ? a->policy
                                                           : policy_of(d->settings, d->question.rule, &d->question.facts);
    d->ruled = true;
}

/* Call sites may differ between ranks, so a rule with a site holds only if it holds on all. */
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

/* Is the call not yet among those seen? Their count tells when measuring pays. */
static bool uncounted(const struct decision *d)
{
    return d->known->seen < MEASURE_FROM && !d->counted;
}

/* The segment that the ranks share, if an engine that goes through one may serve. */
static enum action need_segment(const struct decision *d)
{
    if (!d->policy.wants_segment || d->known->machine.shared_tried)
        return ACTION_DONE;
    return acquired(d, ACTION_SHARE);
}

/* The machine's figures, if the choice may depend on them: inherited, or measured when that pays. */
static enum action need_figures(struct decision *d)
{
    const struct known *k = d->known;
    const bool due = k->seen >= MEASURE_FROM;
    if (k->machine.measured || !d->policy.wants_figures)
        return ACTION_DONE;
    if (!over(d, ACTION_INHERIT) && (!k->asked || due))
        return ACTION_INHERIT;
    if (!due || over(d, ACTION_MEASURE))
        return ACTION_DONE;
    return acquired(d, ACTION_MEASURE);
}

/* ---- History ------------------------------------------------------------------------------------------------------ */

/* The kind of the call, or NULL: nothing is learned from the call, or its kind has not been entered yet. */
static struct kind *kind_of(const struct decision *d)
{
    return d->policy.learns && d->known->history ? history_find(d->known->history, &d->question.facts) : NULL;
}

/* Is there a kind to be entered? */
static bool unentered(const struct decision *d)
{
    return !d->kind && d->policy.learns && d->known->history && history_open(d->known->history);
}

static void enter(struct decision *d)
{
    int row[CANDIDATES];
    double seconds[CANDIDATES];
    const struct facts *f = &d->question.facts;
    int count = choose_candidates(d->settings, NULL, f, row, seconds);
    if (d->policy.shadow && !(d->settings->dry_run && d->settings->dry_trials) && count > SHADOW_CANDIDATES)
        count = SHADOW_CANDIDATES;
    d->kind = history_enter(d->known->history, f, d->policy.shadow, row, seconds, count);
}

/* The 1st, 2nd, 4th .. time. */
bool known_measures_again(const struct known *k)
{
    return k->machine.nodes > 1 && (k->drifts & (k->drifts - 1)) == 0;
}

static enum action need_history(struct decision *d)
{
    d->kind = kind_of(d);
    if (d->kind && kind_syncs(d->kind) && !over(d, ACTION_SYNC))
        return ACTION_SYNC;
    if (d->tells && !over(d, ACTION_PAIRS))
        return ACTION_PAIRS;
    if (d->drifted && known_measures_again(d->known))
        return acquired(d, ACTION_MEASURE);
    return ACTION_DONE;
}

void decision_hear(struct decision *d, const uint64_t word[WORDS], double ns, struct trial_budget *more)
{
    struct kind *k = d->kind;
    const bool settled = k->state == KIND_SETTLED, fresh = k->state == KIND_NEW;
    d->lesson = history_hear(d->known->history, k, word, ns, more) && !kind_noisy(k);
    /* Measurements may decide here if native has the bits of the engines that pair operands. */
    d->tells = fresh && k->state == KIND_TRIED && !k->shadow && d->policy.keeps_bits;
    d->drifted = settled && k->state == KIND_TRIED;
    d->known->drifts += d->drifted;
}

static void set_question(struct decision *d)
{
    int row = d->kind ? kind_serves(d->kind) : -1;
    d->question.learned = row;
    d->question.trial = row >= 0 && d->kind->state == KIND_TRIED;
}

/* ---- The phases --------------------------------------------------------------------------------------------------- */

enum phase { READ, KNOW, SHADOW_TRIAL, SERVE, END };

/*
 * Can the native call be made at once? The kept answer is native, ranks have nothing to agree on or to time, and nothing in
 * what is known would change. Then the arguments need no look before. Reads only.
 */
static bool native_at_once(struct decision *d)
{
    if (!d->known->settled || uncounted(d) || need_rule(d) || need_segment(d) || need_figures(d) || need_history(d) ||
        unentered(d))
        return false;
    if (d->kind && kind_times(d->kind))
        return false;
    set_question(d);
    d->plan = d->place->plan;
    return d->plan.engine == engines[0] && is_kept(d);
}

/* All that is to be known before the plan. */
static enum action know(struct decision *d)
{
    enum action action = ACTION_DONE;
    if (!d->known->settled)
        return ACTION_SETTLE;
    if (uncounted(d))
        d->known->seen += d->question.facts.bytes;
    d->counted = true;
    if ((action = need_rule(d)) || (action = need_segment(d)) || (action = need_figures(d)) || (action = need_history(d)))
        return action;
    if (unentered(d))
        enter(d);
    d->shadowed = d->kind && kind_tries(d->kind) >= 0;
    d->phase = d->shadowed ? SHADOW_TRIAL : SERVE;
    return ACTION_DONE;
}

/* The needs of the plan's operation: met on all ranks or on none. */
static enum action acquire(const struct decision *d)
{
    return over(d, ACTION_PREPARE) ? acquired(d, ACTION_DONE) : ACTION_PREPARE;
}

/* The actions of a shadow trial. It comes before anything is acquired for the call. */
static enum action try_shadow(struct decision *d)
{
    enum action action = ACTION_DONE;
    if (d->plan.engine == NULL)
        d->plan = choose_row(d->settings, NULL, &d->question.facts, kind_tries(d->kind));
    if (d->plan.engine != engines[0] && !over(d, ACTION_PREPARE))
        return ACTION_PREPARE;
    if (!over(d, ACTION_RESERVE))
        return ACTION_RESERVE;
    if (d->plan.engine != engines[0] && (action = acquire(d)))
        return action;
    return ACTION_SHADOW;
}

static void end_shadow(struct decision *d, const struct timed *when)
{
    kind_count(d->kind, &d->question.facts, when);
    d->kind = NULL; /* counted */
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
        d->runs_engine = d->plan.engine != engines[0] && !d->settings->dry_run;
        d->timed = d->kind && kind_times(d->kind) && (d->plan.reason == REASON_TRIAL || d->plan.reason == REASON_LEARNED);
    }
    if (d->runs_engine && (action = acquire(d)))
        return action;
    return ACTION_RUN;
}

void decision_begin(struct decision *d, const struct settings *s, struct known *known, enum reason reason)
{
    d->settings = s;
    d->known = known;
    d->place = &known->answer[answer_place(&d->question.facts)];
    d->question.rule = NULL;
    d->question.learned = -1;
    d->question.trial = false;
    d->question.generation = 0;
    d->answer = NULL;
    d->kind = NULL;
    d->everywhere = 0;
    d->scratch = 0;
    d->timed = d->runs_engine = d->fresh = d->at_once = d->lesson = false;
    d->ruled = d->counted = d->drifted = d->tells = d->shadowed = false;
    d->heard = 0;
    d->phase = READ;
    if (!reason)
        return;
    give_up(d, reason);
    d->phase = END;
}

static enum action read(struct decision *d)
{
    if (native_at_once(d)) {
        d->phase = END;
        d->at_once = true;
        return ACTION_RUN;
    }
    d->plan = (struct plan){.engine = NULL};
    return ACTION_VALIDATE;
}

static enum action end(const struct decision *d)
{
    return !over(d, ACTION_RUN) ? ACTION_RUN : d->kind && !over(d, ACTION_CHECK) ? ACTION_CHECK : ACTION_DONE;
}

enum action decision_next(struct decision *d)
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

/* ---- What came out of actions ------------------------------------------------------------------------------------- */

/* No rank can go on towards an engine. */
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

static void heard_no(struct decision *d, enum action action)
{
    switch (action) {
    case ACTION_VALIDATE:
        d->kind = NULL;
        give_up(d, REASON_INVALID);
        d->phase = END;
        break;
    case ACTION_SETTLE:
        fail_call(d, REASON_NO_MEMORY);
        break;
    case ACTION_PAIRS:
        history_leave(d->kind);
        break;
    case ACTION_RESERVE:
        end_shadow(d, NULL);
        break;
    case ACTION_ACQUIRE:
        assert(d->lacks);
        if (d->phase == SHADOW_TRIAL && d->lacks == REASON_NO_MEMORY)
            end_shadow(d, NULL);
        else
            fail_call(d, d->lacks);
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
    case ACTION_VALIDATE:
        d->phase = KNOW;
        break;
    case ACTION_SETTLE:
        assert(d->known->settled && d->known->machine.generation > 0);
        break;
    case ACTION_PREPARE:
        forget(d, ACTION_ACQUIRE); /* it was for measuring, or for another operation */
        break;
    case ACTION_MEASURE:
        if (d->drifted)
            memset(d->known->history, 0, sizeof *d->known->history);
        break;
    case ACTION_SHADOW:
        end_shadow(d, &d->when);
        break;
    default:
        break;
    }
}

void decision_heard(struct decision *d, enum action action, bool yes)
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
    if (d->kind && ((action == ACTION_RUN && (looked || yes)) || action == ACTION_CHECK)) {
        kind_count(d->kind, &d->question.facts, d->timed ? &d->when : NULL);
        d->kind = NULL;
    }
}
