/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The policy for a call: what may decide which engine serves it. It is computed once a call, from settings, rule and facts
 * alone, so it is the same on all ranks. It alone tells whether the model decides, and whether a measurement may decide: the
 * choice, the trials, the decision and the benchmark derive no such answer themselves.
 */
#ifndef PLEACH_POLICY_H
#define PLEACH_POLICY_H

#include "rules.h"

struct policy {
    struct engine_setting may; /* the engines that may serve, and whether one of them was named or is drawn */
    enum reason refuses;       /* why the native call serves, whatever the engines; else REASON_NONE */
    enum reason picks;         /* how an engine is picked: REASON_RANDOM, _FORCED, _RULE or _MODEL */
    bool keeps_bits;           /* the engine decides about bits that users compare, so no measurement may choose it */
    bool pairs; /* an allreduce with the same bits natively and in engines that pair operands; see pairs() in policy.c */
    bool wants_figures; /* the choice may depend on the machine's figures: they should be measured before */
    bool wants_segment; /* an engine that goes through a segment may serve: the ranks should try to share one */
    bool learns;        /* calls like this one count in the history of the communicator */
    bool shadow;        /* their trials are shadow trials: the model decides the application's calls for ever */
};

/* `rule` as rules_find() gave it; may be NULL. */
struct policy policy_of(const struct settings *s, const struct rule *rule, const struct facts *f);

/* May measurements decide between engines? If `pairs` alone holds, only between some of them. */
static inline bool policy_measures(const struct policy *p)
{
    return !p->keeps_bits || p->pairs;
}

/*
 * The reason that bars engines from this call and needs no cost model, such as a size below the threshold; else REASON_NONE.
 * The default threshold does not bar a call that engines for brief messages may serve. Cheap: it runs on every call.
 */
enum reason policy_quick(const struct settings *s, const struct facts *f);

/* Does the order in which operands meet change the bits of the result? */
bool policy_order_counts(const struct facts *f);

/*
 * May engines for brief messages serve this call, which is below the threshold? They do between places that are far apart,
 * and through a segment.
 */
bool policy_brief(const struct settings *s, const struct facts *f);

/* Does an engine that may serve go through a segment? */
bool policy_segment(const struct policy *p, enum collective c);

/* Bytes of a block by the settings, else by the rule; 0 if neither says. */
int64_t policy_block(const struct settings *s, const struct rule *rule, const struct facts *f);

/* The figures by the settings, else by the rule; -1 if neither says. Hop and gap equal alpha. */
struct figures policy_figures(const struct settings *s, const struct rule *rule);

#endif
