/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The plan for a call follows from the settings and the question: facts, rule, what history says, and the generation of the
 * machine. A question is a value, equal on all ranks. So the answer is the same on all, whether a rank makes it anew or has
 * kept it.
 *
 * A kept answer keeps its question; question_same() tells whether the answer holds for another call. The generation stands
 * for the machine, and changes when ranks measure. So an answer that rests on older figures is never found again, and need
 * not be thrown away.
 */
#ifndef PLEACH_QUESTION_H
#define PLEACH_QUESTION_H

#include "policy.h"

struct question {
    struct facts facts;      /* of a kept question, `machine` is NULL: its generation stands for it */
    const struct rule *rule; /* the call's, or NULL; rules live as long as the process */
    int learned;             /* the row of the registry that history gives, or -1 */
    uint32_t generation;     /* of the machine; 0: nothing is kept here */
    bool trial;              /* a trial times that row, which is not yet known to be the best */
};

struct plan {
    const struct engine *engine; /* never NULL; engines[0] is native */
    int64_t blocks;              /* n >= 1; 0 for native */
    int64_t wide;                /* as in struct shape */
    int group;                   /* as in struct shape */
    enum reason reason;
    double seconds; /* predicted; 0 if nothing was predicted */
};

/* Expected seconds of a call. */
struct expected {
    double native; /* by the native call */
    double engine; /* by the planned engine; the same as native if trials have shown that native is best */
    bool tried;    /* trials measured both */
    double noise;  /* if tried: how far the lesser two of three times were apart, both ways added; else 0 */
};

struct kind;
struct history;

/* A kept answer. */
struct answer {
    struct question question;
    struct policy policy; /* of its rule and facts */
    struct plan plan;
    struct history *history;  /* that was known; NULL: none */
    struct kind *kind;        /* in it, in which such calls count; NULL: in none */
    bool stands;              /* another such call needs no collective action before its plan; see answer_stands() */
    bool prepared;            /* the caller has made what it keeps beside the answer; false in a new one */
    struct expected expected; /* set if calls are recorded; else 0 */
};

/* Are the facts the same, but for the machine? Cheap: it runs on every call above the threshold. */
static inline bool facts_same(const struct facts *f, const struct facts *g)
{
    return f->bytes == g->bytes && f->collective == g->collective && f->op == g->op && f->symmetric == g->symmetric &&
           f->ranks == g->ranks && f->root == g->root && f->units == g->units && f->barred == g->barred;
}

/* Do the calls of two questions have the same policy? */
static inline bool question_alike(const struct question *a, const struct question *b)
{
    return a->generation == b->generation && a->rule == b->rule && facts_same(&a->facts, &b->facts);
}

/* Do two questions have the same answer? */
static inline bool question_same(const struct question *a, const struct question *b)
{
    return question_alike(a, b) && a->learned == b->learned && a->trial == b->trial;
}

#endif
