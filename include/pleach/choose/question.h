/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The plan for a call follows from the settings and the question: the facts, the rule, the engine that history gives, and
 * the generation of the machine. All ranks have the same question. So all have the same answer, even if some ranks have kept
 * it and others make it anew.
 *
 * An answer includes its question; answer_same() tells whether the answer holds for another call. What is chosen is chosen
 * for all sizes of a band, unless a setting or a rule parts them. For another size of an answer, the message alone is cut
 * anew. The generation stands for the machine, and grows whenever the ranks learn more of it. So no call finds an answer
 * that rests on older figures, and such an answer need not be deleted.
 */
#pragma once

#include "policy.h"

struct question {
    struct facts facts;      /* in a kept question, `machine` is NULL: `generation` stands for the machine */
    const struct rule *rule; /* the rule for the call, or NULL; rules live as long as the process */
    int learned;             /* the engine that history gives, as its row in the registry, or -1 */
    uint32_t generation;     /* of the machine; 0: this place for an answer is empty */
    bool trial;              /* the call is a trial of the engine `learned` */
};

struct plan {
    const struct engine *engine; /* never NULL; engines[0] is native */
    int64_t blocks;              /* n >= 1; 0 for native */
    int64_t wide;                /* as in struct shape */
    enum reason reason;
};

/* Has a setting or a rule named the engine? */
static inline bool plan_named(const struct plan *p)
{
    return p->reason == REASON_FORCED || p->reason == REASON_RULE;
}

/* Expected seconds of a call. */
struct expected {
    double native; /* by the native call */
    double engine; /* by the planned engine; the same as native if trials have shown that native is best */
    bool tried;    /* trials measured both */
    double noise;  /* if tried: how far the median exceeds the shortest time, summed over native and engine; else 0 */
};

struct kind;
struct history;

/* A kept answer. */
struct answer {
    struct question question; /* of the latest call */
    int64_t least, most;      /* bytes: it answers calls of these sizes, too, but for the cut */
    struct policy policy;     /* of its rule and facts */
    struct plan plan;         /* cut for the question's size */
    struct history *history;  /* the history that was known; NULL: none */
    struct kind *kind;        /* the kind in `history` of calls with this question; NULL: none */
    int64_t earns;            /* nanoseconds that each such call earns, whatever its size; see budget.h */
    bool stands;              /* the next such call runs the plan alone, without an action before; see answer_stands() */
    bool prepared;            /* the caller has made its own data for the answer; false in a new answer */
    struct expected expected; /* set if calls are recorded; else 0 */
};

/*
 * Are the facts of two calls the same, apart from machine and size? Neither call is a stage of a composed call. The function
 * runs on every call above the threshold, so it is cheap.
 */
static inline bool facts_alike(const struct facts *f, const struct facts *g)
{
    return f->collective == g->collective && f->op == g->op && f->symmetric == g->symmetric && f->ranks == g->ranks &&
           f->root == g->root && f->barred == g->barred;
}

/* Are they the same apart from the machine? */
static inline bool facts_same(const struct facts *f, const struct facts *g)
{
    return f->bytes == g->bytes && f->units == g->units && facts_alike(f, g);
}

/* Is it a call of the answer's question, or of another of its sizes? Sizes are whole elements of one size. */
static inline bool answer_covers(const struct answer *a, const struct facts *f)
{
    const struct facts *g = &a->question.facts;
    return facts_same(f, g) ||
           (facts_alike(f, g) && f->bytes >= a->least && f->bytes <= a->most && f->bytes / f->units == g->bytes / g->units);
}

/* Has the call of this question the policy of a kept answer? */
static inline bool answer_alike(const struct answer *a, const struct question *q)
{
    return a->question.generation == q->generation && a->question.rule == q->rule && answer_covers(a, &q->facts);
}

/* Has it that answer, but for the cut? */
static inline bool answer_same(const struct answer *a, const struct question *q)
{
    return answer_alike(a, q) && a->question.learned == q->learned && a->question.trial == q->trial;
}
