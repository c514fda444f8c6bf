/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A question is all that the plan for a call follows from, but the settings: facts, rule, what history says, and which
 * machine was known. It is a value, equal on all ranks, so the answer is the same on all, whether a rank makes it anew or
 * has kept it.
 *
 * Whoever keeps an answer keeps its question. question_same() then tells whether the answer holds for another call. What is
 * known of the machine changes when ranks measure; its generation stands for it, so a kept answer that rests on older
 * figures is never found again, and nobody has to remember to throw it away.
 */
#ifndef PLEACH_QUESTION_H
#define PLEACH_QUESTION_H

#include "policy.h"

struct question {
    struct facts facts;      /* of a kept question, `machine` is NULL: its generation stands for it */
    const struct rule *rule; /* that the call meets, or NULL; rules live as long as the process */
    int learned;             /* the row of the registry for which history speaks, or -1 */
    uint32_t generation;     /* of the machine; 0: nothing is kept here */
    bool trial;              /* that row is to be timed, not yet known to be the best */
};

struct plan {
    const struct engine *engine; /* never NULL; engines[0] is native */
    int64_t blocks;              /* n >= 1; 0 for native */
    int64_t wide;                /* as in struct shape */
    int group;                   /* as in struct shape */
    enum reason reason;
    double seconds; /* predicted; 0 if nothing was predicted */
};

/* What two ways to serve a call are expected to take; seconds. */
struct expected {
    double native; /* the native call */
    double engine; /* the planned engine; the same where trials have shown that native is best */
    bool tried;    /* trials measured both */
    double noise;  /* if so, how far the lesser two of three times were apart, of both together; else 0 */
};

/* An answer that is kept. */
struct answer {
    struct question question;
    struct policy policy; /* of its rule and facts */
    struct plan plan;
    bool prepared;            /* the caller has made what it keeps beside the answer; of a new one: no */
    struct expected expected; /* where calls are recorded; else 0 */
};

/* Have the calls of two questions the same policy? Cheap: it runs on every call above the threshold. */
static inline bool question_alike(const struct question *a, const struct question *b)
{
    const struct facts *f = &a->facts, *g = &b->facts;
    return f->bytes == g->bytes && a->generation == b->generation && a->rule == b->rule && f->collective == g->collective &&
           f->op == g->op && f->symmetric == g->symmetric && f->ranks == g->ranks && f->root == g->root &&
           f->units == g->units && f->barred == g->barred;
}

/* Have two questions the same answer? */
static inline bool question_same(const struct question *a, const struct question *b)
{
    return question_alike(a, b) && a->learned == b->learned && a->trial == b->trial;
}

#endif
