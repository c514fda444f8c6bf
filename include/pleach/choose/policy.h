/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The policy for a call: what may decide which engine serves it. It is computed once a call, from settings, rule and facts
 * alone, so it is the same on all ranks. "Does the model decide?" and "may a measurement decide?" have their answers here:
 * the choice, the trials, the decision and the benchmark derive no such answer themselves.
 */
#ifndef PLEACH_POLICY_H
#define PLEACH_POLICY_H

#include "rules.h"

struct policy {
    struct engine_setting may; /* the engines that may serve, and whether one of them was named or is drawn */
    enum reason refuses;       /* why the native call serves, whatever the engines; else REASON_NONE */
    enum reason picks;         /* how an engine is picked: REASON_RANDOM, _FORCED, _RULE or _MODEL */
    bool keeps_bits;           /* the engine decides about bits that users compare, so that nothing measured may decide */
    bool pairs; /* an allreduce with the same bits natively and in engines that pair operands; see pairs() in policy.c */
    bool wants_figures; /* the choice may depend on the machine's figures: they should be measured before */
    bool learns;        /* calls like this one count in the history of the communicator */
    bool shadow;        /* their trials run beside the application's calls, which the model decides for ever */
};

/* `rule` as rules_find() gave it; may be NULL. */
struct policy policy_of(const struct settings *s, const struct rule *rule, const struct facts *f);

/* May measurements decide between the engines? Between some of them, where operands pair. */
static inline bool policy_measures(const struct policy *p)
{
    return !p->keeps_bits || p->pairs;
}

/*
 * Is the call below the threshold, or barred from engines for another reason that needs no cost model? Below the default
 * threshold, calls that engines for brief messages may serve are not. The reason, or REASON_NONE. Cheap: it runs on every
 * call.
 */
enum reason policy_quick(const struct settings *s, const struct facts *f);

/* Does the order in which operands meet change the bits of the result? */
bool policy_order_counts(const struct facts *f);

/* Is it a call below the threshold that engines for brief messages may serve? */
bool policy_brief(const struct settings *s, const struct facts *f);

/* Bytes of a block that the settings say, else the rule; 0 where neither does. */
int64_t policy_block(const struct settings *s, const struct rule *rule, const struct facts *f);

/* The figures that the settings say, else the rule; -1 where neither does. Hop and gap are as alpha. */
struct figures policy_figures(const struct settings *s, const struct rule *rule);

#endif
