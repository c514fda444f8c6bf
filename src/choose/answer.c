/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers to questions (choose.h), and whether kept ones hold (decision.h). */
#include "axis.h"
#include "decision.h"
#include "hot.h"
#include "offer_list.h"
#include "predict.h"

#include <assert.h>

static struct pick pick(const struct settings *s, const struct policy *p, const struct question *q, struct choices *kept)
{
    const struct facts *f = &q->facts;
    if (p->picks == REASON_RANDOM || p->uncut) /* both depend on the very size */
        return offers_pick(s, p, q->rule, f, f, NULL);
    const struct pick of_class = axis_pick(s, q->rule, f, kept);
    if (of_class.picks == p->picks && of_class.below == p->below &&
        (of_class.native || offers_may_serve(p, f, of_class.row, false)))
        return of_class;
    const struct facts middle = choose_class(f);
    return offers_pick(s, p, q->rule, f, &middle, NULL);
}

struct plan choose_answer(const struct settings *s, const struct policy *p, const struct question *q, struct choices *kept)
{
    const bool learned = p->picks == REASON_MODEL && q->learned >= 0 && !p->keeps_bits;
    struct pick picked = {.row = q->learned, .reason = q->trial ? REASON_TRIAL : REASON_LEARNED};
    if (p->refuses)
        return offer_plan(&(struct offer){.engine = engines[0]}, p->refuses);
    if (!learned || !offers_may_serve(p, &q->facts, q->learned, true))
        picked = pick(s, p, q, kept);
    struct offer o = {.engine = engines[picked.row]};
    predict_cut(s, p, q->rule, &q->facts, picked.lanes, &o);
    return offer_plan(&o, picked.reason);
}

struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const struct policy p = policy_of(s, rule, f);
    return choose_answer(s, &p, &(struct question){.facts = *f, .rule = rule, .learned = -1}, rule ? NULL : choices_with(s));
}

/* ---- Kept answers ---------------------------------------------------------------------------------------------------- */

/*
 * Each condition of a policy holds from or up to some size, so a policy that is the same at both ends of a band is the same
 * within. Random engines, uncut operations and lanes depend on the very size.
 */
void answer_extend(struct answer *a, const struct settings *s, const struct rules *rules, const struct facts *f)
{
    const int64_t bits = band_bits(f->bytes), unit = f->bytes / f->units;
    const struct facts low = facts_with_units(f, ceil_div(f->bytes & ~bits, unit)),
                       high = facts_with_units(f, (f->bytes | bits) / unit);
    const struct policy *p = &a->policy;
    a->least = a->most = f->bytes;
    if (low.bytes == high.bytes || p->uncut || p->picks == REASON_RANDOM || a->plan.engine->serves[f->collective].composed ||
        (rules && !rules_even(rules, low.bytes, high.bytes)))
        return;
    const struct policy lowest = policy_of(s, a->question.rule, &low), highest = policy_of(s, a->question.rule, &high);
    if (!policy_same(&lowest, p) || !policy_same(&highest, p))
        return;
    a->least = low.bytes;
    a->most = high.bytes;
}

HOT void answer_cut(struct answer *a, const struct settings *s, const struct facts *f)
{
    struct offer o = {.engine = a->plan.engine};
    assert(answer_covers(a, f));
    a->question.facts.bytes = f->bytes;
    a->question.facts.units = f->units;
    predict_cut(s, &a->policy, a->question.rule, f, 0, &o);
    a->plan = offer_plan(&o, a->plan.reason);
}

/* Does the history still give the row, with neither a sync point nor a timed call due? */
static bool history_stands(const struct answer *a, const struct known *k)
{
    return a->history == k->history &&
           (!a->kind || (!k->history->closed && kind_calm(a->kind) && kind_serves(a->kind) == a->question.learned));
}

HOT bool answer_lasts(const struct answer *a, const struct known *k)
{
    const struct question *q = &a->question;
    return a->stands && q->generation == k->machine.generation && !q->trial && history_stands(a, k);
}

HOT bool answer_stands(const struct answer *a, const struct known *k, const struct facts *f)
{
    return answer_covers(a, f) && answer_lasts(a, k);
}
