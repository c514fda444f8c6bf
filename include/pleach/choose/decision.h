/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decision for a call: a generator of the actions that a rank takes from the intercepted call to its end. Some of them
 * are collective: sync points, measuring, the private communicator, scratch memory. A collective action that one rank takes
 * and another does not is a hang. So one function, decision_next(), decides about all of them. It sees only values that are
 * the same on all ranks: the settings, the facts, the known, and the results of earlier collective actions. Its arguments
 * have nothing that may differ between ranks: no records, buffers, memory, clocks, call sites.
 *
 * Three of its inputs are a rank's own; they change no collective action. One is the validity of the arguments: a call that
 * is invalid on this rank takes no part in anything and counts nowhere. The second is the answers that this rank has kept:
 * they save work. A call that asks nothing new takes one action, REPEAT. The third is the result of that: a rank for which
 * the operation is not ready takes the long way, to the same operation. All that is collective there but RUN is ACQUIRE,
 * and REPEAT is for operations for which ACQUIRE would send nothing.
 *
 * The caller performs each action and reports its result:
 *
 *     d.question.facts = facts;
 *     decision_begin(&d, settings, known, reason);
 *     while ((action = decision_next(&d)) != ACTION_DONE)
 *         decision_heard(&d, action, perform(action));
 *
 * The library performs actions with MPI (interpose/serving.c), a test with simulated ranks (tests/check_decision.c).
 *
 *     action      what is done                                               collective   yes means
 *     REPEAT      run the operation that an earlier call has prepared        yes, as RUN  it was run; no: this rank cannot
 *                                                                                         run it without VALIDATE, PREPARE
 *                                                                                         and ACQUIRE
 *     VALIDATE    look at the arguments as the native call would             no           they are valid
 *     SETTLE      find out where the ranks lie, and inherit history          yes          all ranks have memory for it
 *     SITES       find the rules that hold at the call sites of all ranks    yes          (sets d->everywhere)
 *     INHERIT     look for figures that an enclosing group has measured      yes          there are some
 *     ACQUIRE     get a private communicator, unless there is one, and       yes          all ranks have both, else
 *                 d->scratch bytes of scratch memory; ranks agree on                      (sets d->lacks)
 *                 memory beyond what was promised
 *     SHARE       make a segment that all ranks share                        yes          all ranks have it
 *     MEASURE     measure the machine                                        yes          it is measured
 *     SYNC        hold the sync point that is due                            yes          (calls decision_hear())
 *     PAIRS       test whether the native call pairs operands                yes          it does
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
 * The machine is measured once a communicator has had this many bytes in calls that an engine might serve: a program with a
 * few short calls pays nothing. Chosen by hand: the size of a call from which engines save milliseconds on slow networks.
 */
enum { MEASURE_FROM = 64 << 10 };

/*
 * A communicator with so many calls gets a segment for short ones, which costs milliseconds, and one of few private
 * communicators. Where the order of operands counts, the first call gets it: equal calls have equal bits. By hand.
 */
enum { BUSY_CALLS = 256 };

enum { ANSWERS = 8 };

/* All that the ranks of a communicator know together. All but the answers is the same on every rank. */
struct known {
    enum reason barred;            /* why no engine may serve here, or REASON_NONE */
    bool settled;                  /* else only `oversubscribed` and `near` are known of `machine` */
    bool asked;                    /* has it looked for an enclosing group with figures? */
    unsigned drifts;               /* how often calls began to take other times than before */
    int64_t seen;                  /* bytes in calls that an engine might serve, up to MEASURE_FROM */
    struct machine machine;        /* agreed by all ranks; each change gives it another generation */
    const struct rules *rules;     /* or NULL */
    struct history *history;       /* of its calls, once settled; NULL if nothing is learned */
    struct answer answer[ANSWERS]; /* this rank's own: the latest */
};

enum action {
    ACTION_DONE,
    ACTION_REPEAT,
    ACTION_VALIDATE,
    ACTION_SETTLE,
    ACTION_SITES,
    ACTION_INHERIT,
    ACTION_ACQUIRE,
    ACTION_SHARE,
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

/* One call. The caller reads the fields that the table above names, and those down to `lesson`. */
struct decision {
    const struct settings *settings;
    struct known *known;
    struct question question; /* complete in ACTION_REPEAT, and from ACTION_PREPARE on */
    struct policy policy;     /* likewise */
    struct plan plan;         /* of the next ACTION_PREPARE, _SHADOW or _RUN */
    struct answer *answer;    /* the kept one, in ACTION_REPEAT and from ACTION_PREPARE on; NULL: it is not kept */
    struct kind *kind;        /* in which the call counts; NULL: in none */
    uint64_t everywhere;      /* the rules with a site that match on all ranks, as bits of rules_sited() */
    int64_t scratch;          /* bytes that the plan's operation needs, the same on all ranks; 0 before there is one */
    enum reason lacks;        /* why ACTION_ACQUIRE failed: REASON_NO_MEMORY for this call, or known->barred for good */
    struct timed when;        /* the time of a trial, or of a call that is timed */
    bool timed;               /* ACTION_RUN is to be timed */
    bool runs_engine;         /* ACTION_RUN runs the plan's operation, else the native call */
    bool fresh;               /* the answer is new: its `expected` is not set */
    bool at_once;             /* ACTION_RUN makes the native call with arguments that were not checked */
    bool lesson;              /* ACTION_SYNC has settled the kind, and its times are not noisy */
    /* The generator's own. */
    struct answer *place; /* the question's place among the kept answers; it may have the answer to another question */
    uint32_t heard;       /* bit s: action s is over */
    int phase;
    bool ruled, counted, drifted, tells, shadowed;
};

/*
 * Begins the decision for the call that d->question.facts describes. `reason`: why it is native in any case, or REASON_NONE.
 * Sends nothing and changes only *d.
 */
void decision_begin(struct decision *d, const struct settings *s, struct known *known, enum reason reason);

/* The next action. If the call repeats an earlier one, it is ACTION_REPEAT, or ACTION_RUN at once if that was native. */
enum action decision_next(struct decision *d);

/* The action is over. `yes`: as in the table; the same on all ranks after a collective action. */
void decision_heard(struct decision *d, enum action action, bool yes);

/*
 * In ACTION_SYNC: takes the largest of all ranks' values for each word, and the nanoseconds that a sync point takes by the
 * model. Adds to *more the time that trials have lost and calls have taken.
 */
void decision_hear(struct decision *d, const uint64_t word[WORDS], double ns, struct trial_budget *more);

/*
 * Is the machine to be measured again? Asked when calls began to take other times than before, for the k->drifts-th time:
 * the candidates may have changed.
 */
bool known_measures_again(const struct known *k);

/* The place among the kept answers for a question about these facts, 0 .. ANSWERS-1. */
int answer_place(const struct facts *f);

/*
 * Is this the answer for a call with these facts, without any other action before its plan? It is if the answer's facts are
 * the same, the machine has not changed since, and the kind has nothing due. What else counts changes with the machine, or
 * not at all: it was looked at when the answer was kept (a->stands). Cheap: it runs on every call above the threshold.
 */
bool answer_stands(const struct answer *a, const struct known *k, const struct facts *f);

#endif
