/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decision for a call: a generator of the actions that a rank takes from the intercepted call to its end. Some of them
 * are collective: sync points, measuring, the private communicator, scratch memory. A collective action that one rank takes
 * and another does not is a hang. So one function, decision_next(), decides about all of them, and it sees nothing but what
 * is the same on all ranks: the settings, the facts, what the ranks know together, and what came out of the collective
 * actions before. What may differ between ranks is not in its arguments: records, buffers, memory, clocks, call sites.
 *
 * Two things of a rank's own come in, and change no collective action. Whether the arguments are valid: a call that is
 * invalid on this rank takes no part in anything, and counts nowhere. And the answers that this rank has kept: they save
 * work.
 *
 * The caller performs each action and tells what came out of it:
 *
 *     d.question.facts = facts;
 *     decision_begin(&d, settings, known, reason);
 *     while ((action = decision_next(&d)) != ACTION_DONE)
 *         decision_heard(&d, action, perform(action));
 *
 * The library performs actions with MPI (interpose/serving.c), a test with simulated ranks (tests/check_decision.c).
 *
 *     action        what is done                                               collective   yes means
 *     VALIDATE    look at the arguments as the native call would             no           they are valid
 *     SETTLE      find out where the ranks lie, and what history they have   yes          all ranks have memory for it
 *     SITES       find the rules that hold at the call sites of all ranks    yes          (sets d->everywhere)
 *     INHERIT     look for figures that a group around has measured          yes          there are some
 *     ACQUIRE     get a private communicator, unless there is one, and       yes          all ranks have both, else
 *                 d->scratch bytes of scratch memory; more of it than                     (sets d->lacks)
 *                 was promised is agreed on
 *     MEASURE     measure the machine                                        yes          it is measured
 *     SYNC        hold the sync point that the history wants                 yes          (calls decision_hear())
 *     PAIRS       try whether the native call pairs operands                 yes          it does
 *     RESERVE     get buffers for a shadow trial                             yes          all ranks have them
 *     PREPARE     make the operation for d->plan, unless it is native        no           (sets d->scratch)
 *     SHADOW      run d->plan on the buffers of the shadow trial             yes          (sets d->when)
 *     RUN         run d->plan, or the native call                            yes          its arguments are known to
 *                                                                                         be valid (sets d->when if
 *                                                                                         d->timed)
 *     CHECK       look at the arguments of a call that has run               no           they were valid
 */
#ifndef PLEACH_DECISION_H
#define PLEACH_DECISION_H

#include "history.h"

/*
 * Bytes in calls of a communicator that an engine might serve, from which the machine is measured: a program with a few
 * short ones pays nothing for it. By hand: one call of the size from which engines save milliseconds on slow networks.
 */
enum { MEASURE_FROM = 64 << 10 };

enum { ANSWERS = 8 };

/* What the ranks of a communicator know together: all but the answers is the same on all of them. */
struct known {
    enum reason barred;            /* why no engine may serve here, or REASON_NONE */
    bool settled;                  /* else all of `machine` but `oversubscribed` is unknown */
    bool asked;                    /* has it looked for a group around it that has figures? */
    unsigned drifts;               /* how often calls took other times than before */
    int64_t seen;                  /* bytes in calls that an engine might serve, up to MEASURE_FROM */
    struct machine machine;        /* agreed by all ranks; another generation whenever something in it has become another */
    const struct rules *rules;     /* or NULL */
    struct history *history;       /* of its calls, once settled; NULL where nothing is learned */
    struct answer answer[ANSWERS]; /* this rank's own: the latest */
};

enum action {
    ACTION_DONE,
    ACTION_VALIDATE,
    ACTION_SETTLE,
    ACTION_SITES,
    ACTION_INHERIT,
    ACTION_ACQUIRE,
    ACTION_MEASURE,
    ACTION_SYNC,
    ACTION_PAIRS,
    ACTION_RESERVE,
    ACTION_PREPARE,
    ACTION_SHADOW,
    ACTION_RUN,
    ACTION_CHECK,
    ACTIONS
};

/* One call. The caller reads what the table above names, and the fields down to `lesson`. */
struct decision {
    const struct settings *settings;
    struct known *known;
    struct question question; /* complete from ACTION_PREPARE on */
    struct policy policy;     /* likewise */
    struct plan plan;         /* of the next ACTION_PREPARE, _SHADOW or _RUN */
    struct answer *answer;    /* where the plan of the call is kept, from ACTION_PREPARE on; NULL: nowhere */
    struct kind *kind;        /* in which the call counts; NULL: in none */
    uint64_t everywhere;      /* which of the rules with a site hold on all ranks */
    int64_t scratch;          /* bytes that the plan's operation needs, the same on all ranks; 0 before there is one */
    enum reason lacks;        /* why ACTION_ACQUIRE failed: REASON_NO_MEMORY for this call, or known->barred for good */
    struct timed when;        /* the time of a trial, or of a call that is timed */
    bool timed;               /* ACTION_RUN is to be timed */
    bool runs_engine;         /* ACTION_RUN runs the plan's operation, else the native call */
    bool fresh;               /* the answer is new: it says nothing yet of what is expected */
    bool at_once;             /* ACTION_RUN makes the native call, though nobody has looked at the arguments */
    bool lesson;              /* ACTION_SYNC has settled the kind, and its times tell something */
    /* The generator's own. */
    struct answer *place; /* where the answer to the question is kept, or one to another question */
    uint32_t heard;       /* bit s: action s is over */
    int phase;
    bool ruled, counted, drifted, tells, shadowed;
};

/*
 * Begins the decision for the call whose facts are in d->question.facts. `reason`: why it is native in any case, or
 * REASON_NONE. Sends and changes nothing else.
 */
void decision_begin(struct decision *d, const struct settings *s, struct known *known, enum reason reason);

/* The next action. A call that stays native, as the one before it did, comes to ACTION_RUN at once. */
enum action decision_next(struct decision *d);

/* The action is over. `yes`: as in the table; of a collective action the same on all ranks. */
void decision_heard(struct decision *d, enum action action, bool yes);

/*
 * In ACTION_SYNC: what all ranks have said, the largest of each word, and nanoseconds that a sync point takes by the model.
 * Adds to *more what trials have lost and calls have taken.
 */
void decision_hear(struct decision *d, const uint64_t word[WORDS], double ns, struct trial_budget *more);

/*
 * Calls took other times than before, for the k->drifts-th time, so the candidates may be others now: is the machine
 * measured anew?
 */
bool known_measures_again(const struct known *k);

/* The place among the kept answers for a question about these facts, 0 .. ANSWERS-1. */
int answer_place(const struct facts *f);

#endif
