/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of history in a decision. */
#include "needs_of_history.h"

#include "choose.h"

struct kind *kind_of(const struct decision *d)
{
    return d->policy.learns && d->known->history ? history_find(d->known->history, &d->question.facts) : NULL;
}

bool unentered(const struct decision *d)
{
    return !d->kind && d->policy.learns && d->known->history && history_open(d->known->history);
}

void enter(struct decision *d)
{
    int row[CANDIDATES];
    double seconds[CANDIDATES];
    const struct facts *f = &d->question.facts;
    const struct question own = {.facts = *f, .learned = -1, .generation = d->question.generation};
    const int count = choose_candidates(d->settings, &d->policy, f, d->known->choices, row, seconds);
    const int incumbent =
        d->policy.keeps_bits ? engine_row(choose_answer(d->settings, &d->policy, &own, d->known->choices).engine) : 0;
    d->kind = history_enter(d->known->history, f, d->policy.shadow, incumbent, row, seconds, count);
    d->kind->again = d->settings->dry_run;
}

static uint32_t algorithms_in(uint64_t rows)
{
    uint32_t all = 0;
    for (; rows; rows &= rows - 1)
        all |= UINT32_C(1) << engines[__builtin_ctzll(rows)]->algorithm;
    return all;
}

uint32_t known_needs_algorithms(const struct known *k, const struct settings *s)
{
    uint64_t rows = k->history ? history_rows(k->history) : 0;
    for (int c = 0; c < COLLECTIVES; c++)
        rows |= s->engine[c].named ? s->engine[c].rows : 0;
    for (int i = 0; k->rules && i < k->rules->count; i++)
        rows |= k->rules->rule[i].engine.named ? k->rules->rule[i].engine.rows : 0;
    return algorithms_in(rows);
}

/* At the 1st, 2nd, 4th, 8th .. drift; never on one node. */
bool known_measures_again(const struct known *k)
{
    return !k->fixed && k->machine.nodes > 1 && (k->drifts & (k->drifts - 1)) == 0;
}

enum action need_history(struct decision *d)
{
    d->kind = kind_of(d);
    if (d->kind && kind_syncs(d->kind) && !over(d, ACTION_SYNC))
        return ACTION_SYNC;
    if (d->drifted && known_measures_again(d->known) && !machine_lacks(&d->known->machine) &&
        budget_suffices(&d->known->budget, d->settings, &d->known->machine))
        return acquired(d, ACTION_MEASURE);
    return ACTION_DONE;
}

void decision_hear(struct decision *d, const uint64_t word[WORDS], double ns, struct trial_budget *more)
{
    struct kind *k = d->kind;
    const bool settled = k->state == KIND_SETTLED;
    d->teaches = history_hear(d->known->history, k, word, ns, more) && kind_teaches(k);
    d->drifted = settled && !k->shadow && k->state == KIND_TRIED;
    d->known->drifts += d->drifted;
}

void set_question(struct decision *d)
{
    int row = d->kind ? kind_serves(d->kind) : -1;
    d->question.learned = row;
    d->question.trial = row >= 0 && d->kind->state == KIND_TRIED;
}
