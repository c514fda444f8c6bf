/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out whether the answer that a rank has kept holds for another call; see decision.h. */
#include "decision.h"

#include "hot.h"

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
