/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decision for a call: it yields, one by one, the actions that a rank takes from the intercepted call to its end.
 *
 * Some actions are collective. If one rank takes such an action and another rank does not, the program hangs. So a single
 * function, decision_next(), decides about all actions. It sees only values that are the same on all ranks: the settings,
 * the facts, all that the ranks know together (struct known), and the results of earlier collective actions. It sees no
 * records, buffers, memory, clocks or call sites.
 *
 * The library takes one short cut: a call that would begin with REPEAT, or with a native RUN, may run before it is described
 * (serving_again()). Asserts compare that with decision_next().
 *
 * Three inputs may differ between ranks, but change no collective action.
 *
 * - The arguments may be invalid on this rank. The rank then takes no collective action except the native call, which
 *   refuses the arguments; the call counts nowhere.
 * - Each rank keeps answers. A call for which one stands (answer_stands()) takes one collective action: REPEAT, or the
 *   native call.
 * - REPEAT fails if the operation of the earlier call is no longer ready on this rank. The rank then takes the other
 *   actions, which lead to the same operation. Two of them are collective. It performs RUN while the other ranks perform
 *   REPEAT: both run the same operation. Its ACQUIRE sends nothing, since REPEAT is given only if all ranks already have
 *   what ACQUIRE gets.
 *
 * The caller performs each action and reports its result:
 *
 *     d.question.facts = facts;
 *     decision_begin(&d, settings, known, place, reason);
 *     while ((action = decision_next(&d)) != ACTION_DONE)
 *         decision_heard(&d, action, perform(action));
 *
 *     action      what the rank does                                     collective   the result `yes` means
 *     REPEAT      run the operation that an earlier call has prepared        yes, as RUN  it has run; no: this rank cannot
 *                                                                                         run it without VALIDATE, PREPARE
 *                                                                                         and ACQUIRE
 *     VALIDATE    check the arguments as the native call does                no           they are valid
 *     SETTLE      find out where the ranks lie, and take learned rules       yes          all ranks know where they lie
 *     SITES       find the rules that hold at the call sites of all ranks    yes          (sets d->everywhere)
 *     INHERIT     look for figures of an enclosing group                     yes          there are some
 *     ACQUIRE     get a private communicator and d->scratch bytes of         yes          all ranks have both
 *                 scratch memory; the ranks agree about memory only if                    (no: sets d->lacks)
 *                 they need more than each is known to have
 *     SHARE       make a segment on each node                                yes          all nodes have one
 *     CARRY       get a communicator for the algorithm of d->plan          yes          all ranks have one; no: then
 *                                                                                         none can switch to it any more
 *     LOOK        find out what one message between nodes takes              yes          (changes known->budget)
 *     MEASURE     measure what machine_lacks(), or the machine anew          yes          all ranks had memory for it
 *     SYNC        hold the sync point that is due                            yes          (calls decision_hear())
 *     RESERVE     get buffers for a shadow trial or, if d->verifies, for     yes          all ranks have them
 *                 the engine's result
 *     PREPARE     make the operation for d->plan, which is not native        no           (sets d->scratch)
 *     SHADOW      run d->plan on the buffers of the shadow trial             yes          (sets d->when)
 *     RUN         serve the call by the engine d->runs; if d->verifies,      yes          its arguments are known to
 *                 make the native call, too, and compare the results                      be valid (sets d->when if
 *                                                                                         d->timed)
 *     CHECK       check the arguments of a call that has run                 no           they were valid
 */
#pragma once

#include "budget.h"
#include "history.h"
#include "model.h"

/* Each further measurement of a rank, on any communicator, has half the advance of the one before. */
enum { CHEAP_MEASUREMENTS = 4 };

/*
 * Calls before a communicator gets a segment for its short calls: CROWDED_CALLS if ranks outnumber cores and native calls
 * keep cores. If the order of operands counts, the first call that gains gets it: equal calls, equal bits.
 */
enum { BUSY_CALLS = 256, CROWDED_CALLS = 16 };

/* What the ranks of a communicator know together. Only times noted since the last sync point may differ. */
struct known {
    uint64_t made;      /* valid calls with data; known_made() */
    enum reason barred; /* why no engine may serve any call */
    bool settled;       /* `machine` has nodes, places and figures */
    bool asked;         /* ACTION_INHERIT is over */
    unsigned drifts;    /* how often a settled kind's time has changed */
    bool fixed;         /* not measured again, as pleach-mpi's operations depend on its places */
    struct budget budget;
    bool due;                        /* budget_due(), when last asked */
    struct machine machine;          /* agreed; each change gives a new generation */
    const struct rules *rules;       /* or NULL */
    int64_t ruled_from[COLLECTIVES]; /* by rules_from(), for `machine` */
    struct choices *choices;
    uint32_t carriers;       /* bit a: it has a communicator that carries algorithm a; see carriers.c */
    struct history *history; /* NULL before ACTION_SETTLE, or if nothing is learned */
};

/* Call it before each call. */
static inline void known_begin(struct known *k)
{
    struct machine *m = &k->machine;
    const bool busy = k->made >= (m->oversubscribed && native_keeps_cores(m) ? CROWDED_CALLS : BUSY_CALLS);
    const bool due = machine_lacks(m) && budget_due(&k->budget);
    m->generation += busy != m->busy || due != k->due;
    m->busy = busy;
    k->due = due;
}

/*
 * Does a valid call count before it runs or, with `ran`, after it? The program's operation may leave a call by longjmp, so
 * such a call counts before; an error handler may leave an invalid one, so others count after.
 */
static inline bool call_counts(const struct facts *f, bool ran)
{
    return f->bytes > 0 && ran == (f->op != OP_ORDERED);
}

/* Counts a valid call, on all ranks or none, where call_counts(). Nothing else changes k->made. */
static inline void known_made(struct known *k, int64_t earns)
{
    k->made++;
    k->budget.earned += earns;
}

enum action {
    ACTION_DONE,
    ACTION_REPEAT,
    ACTION_VALIDATE,
    ACTION_SETTLE,
    ACTION_SITES,
    ACTION_INHERIT,
    ACTION_ACQUIRE,
    ACTION_SHARE,
    ACTION_CARRY,
    ACTION_LOOK,
    ACTION_MEASURE,
    ACTION_SYNC,
    ACTION_RESERVE,
    ACTION_PREPARE,
    ACTION_SHADOW,
    ACTION_RUN,
    ACTION_CHECK,
    ACTIONS
};

/* The decision for one call. The caller reads the fields up to `teaches`. */
struct decision {
    const struct settings *settings;
    struct known *known;
    struct question question; /* the caller sets its facts; the rest is set in REPEAT, and from PREPARE on */
    struct policy policy;
    struct plan plan;          /* of the next PREPARE, SHADOW or RUN */
    const struct engine *runs; /* serves in RUN: the plan's engine or, in a dry run, native */
    struct answer *answer;     /* the kept answer; NULL in a shadow trial, or without one */
    struct kind *kind;         /* or NULL */
    uint64_t everywhere;       /* bits of rules_sited() that match on all ranks */
    int64_t earns;             /* known_made() */
    int64_t scratch;           /* bytes for the operation, the same on all ranks; 0 until made */
    enum reason lacks;         /* why ACQUIRE failed: REASON_NO_MEMORY for this call, or known->barred */
    struct timed when;         /* of a trial or a timed call */
    bool timed;                /* the caller times RUN */
    bool verifies;             /* RUN also makes the native call, and compares */
    bool fresh;                /* `expected` of the answer is not set */
    bool unchecked;            /* RUN makes a native call with unchecked arguments */
    bool teaches;              /* SYNC has settled the kind; history_hear() */
    /* For the decision alone: */
    struct answer *place; /* for this answer; another one may lie there */
    uint32_t heard;       /* bit i: action i is over */
    int phase;
    bool ruled, drifted, shadowed;
};

/* Does RUN run the plan's operation? Else the MPI library serves the call. */
static inline bool decision_runs_engine(const struct decision *d)
{
    return !engine_by_mpi(d->runs);
}

/*
 * Begins the decision for d->question.facts. `place`: this rank's answer for such calls, empty or any. `reason`: why the
 * call is native, and `place` not used; or REASON_NONE. Changes only *d.
 */
void decision_begin(struct decision *d, const struct settings *s, struct known *known, struct answer *place,
                    enum reason reason);

/* If a kept answer stands, the first action is REPEAT, or RUN if its plan is native. */
enum action decision_next(struct decision *d);

/* The result of an action, as in the table. For a collective one, the same on all ranks, except REPEAT and RUN. */
void decision_heard(struct decision *d, enum action action, bool yes);

/*
 * Call it in SYNC. `word`: the largest of all ranks. `ns`: of a sync point, by the model. Adds the trials' losses and calls'
 * times to *more.
 */
void decision_hear(struct decision *d, const uint64_t word[WORDS], double ns, struct trial_budget *more);

/*
 * Does a communicator of its own carry this engine, an algorithm of the MPI library? Then the library refuses invalid
 * arguments there, and not where the program expects it; so no answer stands, and each call is checked.
 */
static inline bool known_carries(const struct known *k, const struct engine *e)
{
    return k->machine.algorithms.carried && e->algorithm;
}

/* Has this communicator still to be got? */
static inline bool known_lacks_carrier(const struct known *k, const struct engine *e)
{
    return known_carries(k, e) && !(k->carriers >> e->algorithm & 1);
}

/* The algorithms that may serve or be tried again: settings or rules name them, or trials have not refuted them. */
uint32_t known_needs_algorithms(const struct known *k, const struct settings *s);

/* A settled kind's time has changed, the k->drifts-th time. Shall the ranks measure the machine again? */
bool known_measures_again(const struct known *k);

/*
 * May the call take this answer's plan, cut anew, without an action before? Cheap, for every call above the threshold: asks
 * only what may have changed since a->stands was set.
 */
bool answer_stands(const struct answer *a, const struct known *k, const struct facts *f);

/* Does answer_stands() hold for the calls that this answer covers? */
bool answer_lasts(const struct answer *a, const struct known *k);
