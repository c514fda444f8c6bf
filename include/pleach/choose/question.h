/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The plan of a call follows from the settings and the question, which is the same on all ranks. So is the answer, kept or
 * new.
 *
 * A kept answer serves a band of sizes: only the cut is made anew. The generation grows whenever the ranks learn more of the
 * machine, so an answer from older figures is never found.
 */
#pragma once

#include "own_share.h"
#include "policy.h"

struct question {
    struct facts facts;      /* `machine` is NULL in a kept question */
    const struct rule *rule; /* or NULL; lives as long as the process */
    int learned;             /* row of the engine that history gives, or -1 */
    uint32_t generation;     /* of the machine; 0: an empty place */
    bool trial;              /* the call is a trial of `learned` */
};

struct plan {
    const struct engine *engine; /* never NULL */
    int64_t blocks;              /* n >= 1; 0 for native */
    int64_t wide;
    enum reason reason;
};

/* Has a setting or a rule named the engine? */
static inline bool plan_named(const struct plan *p)
{
    return p->reason == REASON_FORCED || p->reason == REASON_RULE;
}

/* Expected seconds of a call. */
struct expected {
    double native;
    double engine; /* by the planned one, or native if that was best in trials */
    bool tried;    /* trials have measured both */
    double noise;  /* if tried: medians over shortest times of both */
    struct own_share own;
};

struct kind;
struct history;

struct answer {
    struct question question; /* of the latest call */
    int64_t least, most;      /* bytes that it covers */
    struct policy policy;
    struct plan plan;         /* cut for the question's size */
    struct history *history;  /* or NULL */
    struct kind *kind;        /* in `history`, of such calls, or NULL */
    int64_t earns;            /* nanoseconds by each such call; budget.h */
    bool stands;              /* the next such call runs the plan without an action before; answer_stands() */
    bool prepared;            /* with data of the caller's */
    struct expected expected; /* set if calls are recorded; else 0 */
};

/* The same apart from machine and size? Not for stages. Cheap: it runs on every call above the threshold. */
static inline bool facts_alike(const struct facts *f, const struct facts *g)
{
    return f->collective == g->collective && f->op == g->op && f->symmetric == g->symmetric && f->ranks == g->ranks &&
           f->root == g->root && f->barred == g->barred;
}

/* The same apart from the machine? */
static inline bool facts_same(const struct facts *f, const struct facts *g)
{
    return f->bytes == g->bytes && f->units == g->units && facts_alike(f, g);
}

/* Is it a call of the question, or of another size of the answer? Sizes are whole elements. */
static inline bool answer_covers(const struct answer *a, const struct facts *f)
{
    const struct facts *g = &a->question.facts;
    return facts_same(f, g) ||
           (facts_alike(f, g) && f->bytes >= a->least && f->bytes <= a->most && f->bytes / f->units == g->bytes / g->units);
}

/* Has the question the answer's policy? */
static inline bool answer_alike(const struct answer *a, const struct question *q)
{
    return a->question.generation == q->generation && a->question.rule == q->rule && answer_covers(a, &q->facts);
}

/* And its plan, but for the cut? */
static inline bool answer_same(const struct answer *a, const struct question *q)
{
    return answer_alike(a, q) && a->question.learned == q->learned && a->question.trial == q->trial;
}
