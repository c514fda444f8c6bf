/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer to a question (choose.h), and whether a kept one holds for another call (decision.h). */
#include "axis.h"
#include "decision.h"
#include "hot.h"
#include "offer_list.h"
#include "predict.h"

/* The pick for a call that history does not decide. */
static struct pick pick(const struct settings *s, const struct policy *p, const struct question *q, struct choices *kept)
{
    const struct facts *f = &q->facts;
    if (p->picks == REASON_RANDOM || p->whole) /* both depend on the very size */
        return offers_pick(s, p, q->rule, f, f, NULL);
    const struct pick of_class = axis_pick(s, q->rule, f, kept);
    if (of_class.picks == p->picks && of_class.brief == p->brief &&
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

/* Does the history still give the answer's row, with neither a sync point nor a timed call due? */
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
    return facts_same(&a->question.facts, f) && answer_lasts(a, k);
}
