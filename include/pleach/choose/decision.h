/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decision for a call: it yields, one by one, the actions that a rank takes from the intercepted call to its end.
 *
 * Some actions are collective: sync points, measuring, the private communicator, scratch memory. If one rank takes such an
 * action and another rank does not, the program hangs. So a single function, decision_next(), decides about all actions. It
 * sees only values that are the same on all ranks: the settings, the facts, all that the ranks know together (struct known),
 * and the results of earlier collective actions. It sees nothing else: no records, buffers, memory, clocks or call sites.
 *
 * The library takes one short cut: a call that would begin with REPEAT, or with a native RUN, may run before it is described
 * (serving_again()). It then runs what decision_next() would give; asserts compare the two.
 *
 * Three inputs are exceptions: they may differ between ranks, but change no collective action.
 *
 * - The arguments may be invalid on this rank. The rank then takes no collective action except the native call, which
 *   refuses the arguments; the call counts nowhere.
 * - Each rank keeps answers, which saves work. A call for which a kept answer stands (answer_stands()) takes one
 *   collective action: REPEAT, or the native call.
 * - REPEAT fails if the operation of the earlier call is no longer ready on this rank. The rank then takes the other
 *   actions, which lead to the same operation. Two of them are collective, RUN and ACQUIRE. It performs RUN while the other
 *   ranks perform REPEAT: both run the same operation. Its ACQUIRE sends nothing, since REPEAT is given only if all ranks
 *   already have what ACQUIRE gets.
 *
 * The caller performs each action and reports its result:
 *
 *     d.question.facts = facts;
 *     decision_begin(&d, settings, known, place, reason);
 *     while ((action = decision_next(&d)) != ACTION_DONE)
 *         decision_heard(&d, action, perform(action));
 *
 * The library performs actions with MPI (serving.c), a test with simulated ranks (tests/unit/check_decision.c).
 *
 *     action      what the rank does                                     collective   the result `yes` means
 *     REPEAT      run the operation that an earlier call has prepared        yes, as RUN  it has run; no: this rank cannot
 *                                                                                         run it without VALIDATE, PREPARE
 *                                                                                         and ACQUIRE
 *     VALIDATE    check the arguments as the native call does                no           they are valid
 *     SETTLE      find out where the ranks lie, and take learned rules        yes          all ranks know where they lie
 *     SITES       find the rules that hold at the call sites of all ranks    yes          (sets d->everywhere)
 *     INHERIT     look for figures that an enclosing group has measured      yes          there are some
 *     ACQUIRE     get a private communicator, unless there is one, and       yes          all ranks have both
 *                 d->scratch bytes of scratch memory; the ranks agree about               (no: sets d->lacks)
 *                 memory only if they need more than each is known to have
 *     SHARE       make a segment on each node, for the ranks there           yes          all nodes have one
 *     LOOK        find out what one message between nodes takes               yes          (changes known->budget)
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

/*
 * A program may make ever new groups of ranks. So after CHEAP_MEASUREMENTS, each further measurement of a rank has half of
 * the advance of the one before it, on all communicators with that rank. Chosen by hand.
 */
enum { CHEAP_MEASUREMENTS = 4 };

/*
 * After BUSY_CALLS calls, a communicator gets a segment for its short calls. The segment costs milliseconds and a private
 * communicator, of which there are few. If the order of operands counts, the first call that gains by a segment gets it, so
 * that equal calls have equal bits. CROWDED_CALLS replaces BUSY_CALLS where there are more ranks than cores, and ranks that
 * wait in a native call keep their cores: a native call then takes milliseconds, too. Both are chosen by hand.
 */
enum { BUSY_CALLS = 256, CROWDED_CALLS = 16 };

/*
 * All that the ranks of a communicator know together. Only the times that the history has noted since its last sync point
 * may differ between ranks.
 */
struct known {
    uint64_t made;             /* number of valid calls so far that had data; the same on all ranks; see known_made() */
    enum reason barred;        /* why no engine may serve on this communicator, or REASON_NONE */
    bool settled;              /* ACTION_SETTLE is over; before, `machine` lacks nodes, places and figures */
    bool asked;                /* ACTION_INHERIT has looked for an enclosing group with figures */
    unsigned drifts;           /* how often the time of a settled kind was found to have changed */
    bool fixed;                /* the machine is not measured again: pleach-mpi keeps operations that depend on its places */
    struct budget budget;      /* of measurements */
    bool due;                  /* budget_due() when it was last asked */
    struct machine machine;    /* all ranks have agreed on it; each change gives it a new generation */
    const struct rules *rules; /* NULL if there are none */
    int64_t ruled_from[COLLECTIVES]; /* set by rules_from(); `machine` points to it */
    struct choices *choices;         /* for choose_answer() */
    struct history *history;         /* of the communicator's calls; NULL before ACTION_SETTLE, or if nothing is learned */
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
 * Does a valid call with these facts count as made, before it runs or, with `ran`, after it? By longjmp or an exception, an
 * operation of the program may leave a valid call, and an error handler an invalid one. So calls with such an operation
 * count before they run, and the others afterwards.
 */
static inline bool call_counts(const struct facts *f, bool ran)
{
    return f->bytes > 0 && ran == (f->op != OP_ORDERED);
}

/*
 * Counts a valid call as made, on all ranks or on none, where call_counts() holds; and what it has earned. Nothing else
 * changes k->made.
 */
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

/* The decision for one call. The caller reads the fields from `settings` to `teaches`. */
struct decision {
    const struct settings *settings;
    struct known *known;
    struct question question;  /* the caller sets its facts; the rest is set in ACTION_REPEAT, and from ACTION_PREPARE on */
    struct policy policy;      /* set in the same actions */
    struct plan plan;          /* of the next ACTION_PREPARE, _SHADOW or _RUN */
    const struct engine *runs; /* serves the call in ACTION_RUN: the plan's engine or, in a dry run, native */
    struct answer *answer;     /* the kept answer, set in the same actions; NULL in a shadow trial, or without an answer */
    struct kind *kind;         /* the kind in which the call counts, or NULL */
    uint64_t everywhere;       /* the rules with a call site that match on all ranks, as bits of rules_sited() */
    int64_t earns;             /* what the call earns, see known_made() */
    int64_t scratch;           /* bytes that the plan's operation needs, the same on all ranks; 0 until it is made */
    enum reason lacks;         /* why ACTION_ACQUIRE failed: REASON_NO_MEMORY for this call, or known->barred for good */
    struct timed when;         /* the times of a trial, or of a timed call */
    bool timed;                /* the caller times ACTION_RUN */
    bool verifies;             /* ACTION_RUN makes the native call, too, and compares the results */
    bool fresh;                /* the answer is new, or new for this size, so its `expected` is not set */
    bool unchecked;            /* ACTION_RUN makes the native call, and the arguments have not been checked */
    bool teaches;              /* ACTION_SYNC has settled the kind, which makes a rule; see history_hear() */
    /* Only the functions of the decision use the following fields. */
    struct answer *place; /* the place for this answer; another answer may lie there */
    uint32_t heard;       /* bit i: action i is over */
    int phase;
    bool ruled, drifted, shadowed;
};

/* Does ACTION_RUN run the plan's operation? Else the MPI library makes the call, and needs no operation. */
static inline bool decision_runs_engine(const struct decision *d)
{
    return !engine_by_mpi(d->runs);
}

/*
 * Begins the decision for the call that d->question.facts describes. `place`: where this rank keeps the answer for such
 * calls; it is empty, or has an answer for any call. `reason`: why the call is native in any case, else REASON_NONE; then
 * `place` is not used. Sends nothing and changes only *d.
 */
void decision_begin(struct decision *d, const struct settings *s, struct known *known, struct answer *place,
                    enum reason reason);

/* Returns the next action. If a kept answer stands, the first is ACTION_REPEAT, or ACTION_RUN if its plan is native. */
enum action decision_next(struct decision *d);

/*
 * Takes the result of an action. The table above gives the meaning of `yes`. For a collective action, `yes` is the same on
 * all ranks, except for REPEAT and RUN.
 */
void decision_heard(struct decision *d, enum action action, bool yes);

/*
 * The caller calls this in ACTION_SYNC. `word`: for each word, the largest of all ranks' values. `ns`: the nanoseconds that
 * a sync point takes by the model. Adds to *more the time that trials have lost and calls have taken.
 */
void decision_hear(struct decision *d, const uint64_t word[WORDS], double ns, struct trial_budget *more);

/*
 * The time of a settled kind has changed, for the k->drifts-th time on this communicator. Shall the ranks measure the
 * machine again? They do, since other engines may now be candidates, but only at the 1st, 2nd, 4th, 8th .. time. They never
 * do so on one node, or if k->fixed.
 */
bool known_measures_again(const struct known *k);

/*
 * May a call with these facts take the plan of this answer, but for its cut, without any action before? It may if the answer
 * covers the facts, the machine has not changed since, and the history still gives the same row, with neither a sync point
 * nor a timed call due. All other conditions change only with the machine, or never; so they were checked once, when the
 * answer was kept (a->stands). This function is cheap, as it runs on every call above the threshold.
 */
bool answer_stands(const struct answer *a, const struct known *k, const struct facts *f);

/* Does answer_stands() hold for the calls that this answer covers? */
bool answer_lasts(const struct answer *a, const struct known *k);
