/* SPDX-License-Identifier: BSD-2-Clause */
/* Performs the actions of a call; see serving.h. */
#include "serving.h"

#include "arithmetic.h"
#include "hot.h"
#include "look.h"
#include "measure.h"
#include "nodes.h"
#include "prepare.h"
#include "process.h"
#include "recording.h"
#include "seconds.h"
#include "shadow.h"
#include "sharing.h"
#include "small_stack.h"
#include "trials.h"
#include "typemap.h"
#include "verify.h"
#include "watch.h"

#include <assert.h>
#include <stdlib.h>

static bool look_at_arguments(struct serving *s)
{
    return validate(s->call, s->comm, &s->decision.question.facts, &s->view) == REASON_NONE;
}

/* Does what look_at_arguments() does after a call, which needs no view. */
static bool check_arguments(struct serving *s)
{
    return still_valid(s->call, s->comm, &s->decision.question.facts);
}

/* Notes the valid arguments for which the operation is prepared. */
static void keep_arguments(struct prepared *p, const struct serving *s)
{
    p->view = s->view;
    p->given = given_by(s->call);
    p->lasts = p->operation.identity && !operation_lacks_map(&p->operation);
    p->freed = atomic_load_explicit(&types_freed, memory_order_relaxed);
}

/* Does the prepared operation's datatype certainly still exist? If the program has freed any type, nothing is certain. */
static inline bool type_stands(const struct prepared *p)
{
    return p->operation.identity == TYPE_OF_MPI || p->freed == atomic_load_explicit(&types_freed, memory_order_relaxed);
}

/*
 * True if the operation is prepared for these very arguments, and still fits: by now the program may have freed the datatype
 * or the MPI_Op. describe() has found the handle of the datatype valid.
 */
static bool prepared_arguments(const struct prepared *p, const struct call *c)
{
    return given_again(c, &p->given) && p->lasts &&
           (type_stands(p) || p->operation.identity == type_identity(p->view.datatype)) && op_stands(c, &p->operation.facts);
}

/*
 * True if an operation prepared for other arguments fits this call's data, too. If so, notes this call's arguments for it.
 */
static bool prepared_again(struct prepared *p, struct serving *s)
{
    if (!look_at_arguments(s) || !prepared_data(&p->operation, &s->view))
        return false;
    prepare_fold(&p->operation, &s->view, s->comm);
    keep_arguments(p, s);
    return true;
}

/* Counts a valid call that has not run or, with `ran`, has run, if it counts then. */
static inline void count_made(struct comm *comm, const struct facts *f, bool ran, int64_t earns)
{
    if (!call_counts(f, ran))
        return;
    comm->made++;
    known_earns(&comm->known, earns);
}

HOT static bool repeat(struct serving *s)
{
    const struct decision *d = &s->decision;
    struct prepared *p = &memo_entry_with(d->answer)->prepared;
    const struct operation *o = &p->operation;
    if (!d->answer->prepared || !(prepared_arguments(p, s->call) || prepared_again(p, s)) ||
        !comm_acquire_quietly(s->comm, o->scratch_agreed, o->scratch))
        return false;
    count_made(s->comm, &d->question.facts, false, d->earns);
    watch_phase(s->watched, PHASE_ENGINE, d->plan.engine);
    p->freed = atomic_load_explicit(&types_freed, memory_order_relaxed);
    s->error = perform(o, &p->view, s->comm);
    return true;
}

#ifndef NDEBUG
/* Does the decision about this call begin with this action, by this answer? */
static bool decided(const struct call *c, struct comm *comm, enum action action, struct answer *a)
{
    struct decision d;
    if (describe(c, comm, &d.question.facts) || policy_quick(&process.settings, &d.question.facts))
        return false;
    decision_begin(&d, &process.settings, &comm->known, a, REASON_NONE);
    return decision_next(&d) == action && d.answer == a;
}
#endif

/*
 * A call that repeats an earlier one is over, with the answer's plan, and the communicator still exists. `kind`: the kind in
 * which the call counts, or NULL. `earns`: see known_earns().
 */
HOT static void end_again(struct serving *s, struct kind *kind, const struct facts *f, int64_t earns, struct served *o)
{
    if (kind)
        kind_count(kind, f, NULL);
    if (o->valid)
        count_made(s->comm, f, true, earns);
    else
        o->plan.reason = REASON_INVALID;
    if (s->record)
        recording_end(s->record, s->call, s->comm, o);
}

/* The call is served by this answer, but its handler of errors may make calls that take the answer's place. */
static inline struct served served_by(const struct answer *a, const struct facts *f)
{
    return (struct served){
        .bytes = f->bytes, .plan = a->plan, .runs = a->plan.engine, .expected = a->expected, .valid = true};
}

/* Does what serving_again() does, for a call that an engine serves. */
HOT static bool engine_again(struct serving *s, struct memo_entry *kept)
{
    const struct call *c = s->call;
    struct comm *comm = s->comm;
    struct prepared *p = &kept->prepared;
    struct answer *a = &kept->answer;
    const struct operation *o = &p->operation;
    if (!p->lasts || !given_again(c, &p->given) || !type_stands(p))
        return false;
    if (!a->prepared || comm->known.barred || !answer_lasts(a, &comm->known) || !op_stands(c, &p->operation.facts) ||
        pmpi_ending() || !comm_acquire_quietly(comm, o->scratch_agreed, o->scratch))
        return false;
    assert(decided(c, comm, ACTION_REPEAT, a));
    struct kind *const kind = a->kind;
    const struct facts facts = a->question.facts;
    struct served served = served_by(a, &facts);
    const int64_t earns = a->earns;
    count_made(comm, &facts, false, earns);
    if (s->watched)
        watch_describe(s->watched, comm, facts.bytes, PHASE_ENGINE, served.runs);
    s->error = perform(o, &p->view, comm);
    if (comm_stands(comm, (MPI_Comm)c->comm, s->error))
        end_again(s, kind, &facts, earns, &served);
    return true;
}

/*
 * Does what serving_again() does, for a call that the MPI library serves. A call that counts in a kind, or that counts
 * before it runs, must be known to be valid.
 */
HOT static bool native_again(struct serving *s, struct memo_entry *kept)
{
    const struct call *c = s->call;
    struct comm *comm = s->comm;
    if (!accepted_again(&kept->accepted, c, comm))
        return false;
    const struct facts facts = kept->accepted.facts;
    const bool valid = kept->accepted.valid;
    struct answer *a = &kept->answer;
    struct kind *const kind = a->kind;
    const int64_t earns = a->earns;
    if (!answer_stands(a, &comm->known, &facts) || !engine_by_mpi(a->plan.engine) ||
        (!valid && (kind || call_counts(&facts, false))) || pmpi_ending() || !op_stands(c, &facts))
        return false;
    assert(decided(c, comm, ACTION_RUN, a));
    struct served served = served_by(a, &facts);
    count_made(comm, &facts, false, earns);
    if (s->watched)
        watch_describe(s->watched, comm, facts.bytes, PHASE_NATIVE, served.runs);
    s->error = native_mended(c, comm, &facts, served.runs, plan_named(&served.plan));
    if (comm_stands(comm, (MPI_Comm)c->comm, s->error)) {
        served.valid = valid || s->error == MPI_SUCCESS || still_valid(c, comm, &facts);
        end_again(s, kind, &facts, earns, &served);
    }
    return true;
}

HOT bool serving_again(struct serving *s)
{
    const struct memo_key key = call_key(s->call);
    struct memo_entry *kept = s->record && process.settings.dry_run ? NULL : memo_find(&s->comm->memo, &key);
    return kept && (engine_again(s, kept) || native_again(s, kept));
}

static bool settle_nodes(struct serving *s)
{
    return nodes_settle(s->comm);
}

static bool compare_sites(struct serving *s)
{
    struct decision *d = &s->decision;
    const uint64_t sited = rules_sited(d->known->rules, &d->question.facts);
    void *frame[CALL_SITE_FRAMES];
    char *text = process.settings.stack ? malloc(CALL_SITE_TEXT) : NULL;
    if (text) {
        call_site_take(frame, s->caller);
        call_site_text(frame, text, CALL_SITE_TEXT);
    }
    uint64_t missed = ~rules_at(d->known->rules, sited, text ? text : ""); /* "": unknown */
    free(text);
    words_united(s->comm->user, &missed, 1);
    d->everywhere = ~missed;
    return true;
}

static bool inherit(struct serving *s)
{
    return measure_inherit(s->comm);
}

/*
 * Gets a private communicator and, if there is an operation, the scratch memory for it. The ranks agree on this memory; a
 * rank that lacks the operation's typemap says so in this agreement.
 */
static bool acquire(struct serving *s)
{
    const struct operation *o = s->operation;
    const int64_t mine = !o ? 0 : operation_lacks_map(o) ? SCRATCH_NONE : o->scratch;
    s->decision.lacks = comm_acquire(s->comm, s->decision.scratch, mine);
    return s->decision.lacks == REASON_NONE;
}

static bool share_memory(struct serving *s)
{
    double seconds;
    char why[SHARING_WHY];
    const bool shares = sharing_make(s->comm, &seconds, why);
    if (shares)
        record_shared(&s->comm->known.machine.segment, seconds);
    else if (*why)
        record_unshared(why);
    if (s->record)
        s->record->measuring += seconds;
    return shares;
}

static bool look_at_network(struct serving *s)
{
    const double seconds = look(s->comm);
    if (s->record)
        s->record->measuring += seconds;
    return true;
}

static bool measure_machine(struct serving *s)
{
    struct measuring took;
    if (!measure(s->comm, &took))
        return false;
    if (took.all)
        record_measured(&s->comm->known.machine, took.seconds, took.late);
    else
        record_shared(&s->comm->known.machine.segment, took.seconds);
    if (s->record)
        s->record->measuring += took.seconds;
    return true;
}

static bool sync_history(struct serving *s)
{
    s->moment = trials_sync(s->comm, &s->decision);
    return true;
}

static bool reserve(struct serving *s)
{
    return s->decision.verifies ? verify_reserve(s) : shadow_reserve(s);
}

/* Programs repeat their calls. So the operation is kept beside its answer, and serves later calls with the same datatype. */
static bool prepare(struct serving *s)
{
    struct decision *d = &s->decision;
    if (!d->answer) {
        s->operation = shadow_operation(s);
    } else {
        struct prepared *p = &memo_entry_with(d->answer)->prepared;
        struct operation *o = s->operation = &p->operation;
        if (!d->answer->prepared || !prepared_data(o, &s->view)) {
            operation_end(o);
            *o = (struct operation){.facts = d->question.facts, .in_place = s->view.in == s->view.out, .plan = d->plan};
            prepare_operation(o, d->question.rule, &s->view, s->comm);
            operation_keep(o);
            o->facts.machine = NULL; /* as in the kept question: the machine's figures may change before later calls */
            d->answer->prepared = true;
        } else
            prepare_fold(o, &s->view, s->comm);
        keep_arguments(p, s);
    }
    d->scratch = s->operation ? s->operation->scratch_agreed : 0;
    return true;
}

static bool run_shadow(struct serving *s)
{
    shadow_run(s);
    return true;
}

HOT static bool run(struct serving *s)
{
    struct decision *d = &s->decision;
    const struct facts *f = &d->question.facts;
    const bool engine = decision_runs_engine(d);
    const bool valid =
        call_counts(f, false) && (engine || (d->plan.reason != REASON_INVALID && still_valid(s->call, s->comm, f)));
    if (valid)
        count_made(s->comm, f, false, d->earns);
    if (s->record)
        recording_run(s->record);
    if (d->timed && s->moment) {
        if (engine)
            operation_fetch(s->operation, &s->comm->channel);
        trials_await(s->comm, s->moment);
    }
    if (d->timed)
        d->when.start = trials_clock(s->comm);
    watch_phase(s->watched, engine ? PHASE_ENGINE : PHASE_NATIVE, d->runs);
    s->error = d->verifies ? verify_call(s)
               : engine    ? perform(s->operation, &s->view, s->comm)
                           : native_mended(s->call, s->comm, f, d->runs, plan_named(&d->plan));
    if (!comm_stands(s->comm, (MPI_Comm)s->call->comm, s->error))
        return true;
    if (d->timed)
        d->when.end = trials_clock(s->comm);
    if (d->timed && s->moment) {
        watch_phase(s->watched, PHASE_AGREEING, NULL);
        trials_leave(s->comm);
    }
    return !d->at_once || valid || (ABI_TELLS_ALL && s->error == MPI_SUCCESS);
}

/* Performs an action. Returns the result that decision_heard() takes. */
static bool perform_action(struct serving *s, enum action action)
{
    static bool (*const performer[ACTIONS])(struct serving *) = {
        [ACTION_REPEAT] = repeat,           [ACTION_VALIDATE] = look_at_arguments,
        [ACTION_SETTLE] = settle_nodes,     [ACTION_SITES] = compare_sites,
        [ACTION_INHERIT] = inherit,         [ACTION_ACQUIRE] = acquire,
        [ACTION_SHARE] = share_memory,      [ACTION_LOOK] = look_at_network,
        [ACTION_MEASURE] = measure_machine, [ACTION_SYNC] = sync_history,
        [ACTION_RESERVE] = reserve,         [ACTION_PREPARE] = prepare,
        [ACTION_SHADOW] = run_shadow,       [ACTION_RUN] = run,
        [ACTION_CHECK] = check_arguments,
    };
    return performer[action](s);
}

/*
 * Takes all actions up to the call itself, or the call too if it repeats an earlier one. Returns false if the communicator
 * is gone. The ranks must choose alike, so between ACTION_VALIDATE and ACTION_RUN we compute in our own arithmetic.
 */
HOT static bool take_actions(struct serving *s)
{
    struct decision *d = &s->decision;
    enum action action;
    struct program_state program;
    bool own = false;
    while ((action = decision_next(d)) != ACTION_DONE) {
        if (action == ACTION_VALIDATE) {
            watch_phase(s->watched, PHASE_AGREEING, NULL);
            arithmetic_begin(&program);
            own = true;
        } else if (action == ACTION_RUN && own) {
            arithmetic_end(&program);
            own = false;
        }
        const bool yes = perform_action(s, action);
        if (!comm_stands(s->comm, (MPI_Comm)s->call->comm, s->error))
            break;
        decision_heard(d, action, yes);
    }
    if (own)
        arithmetic_end(&program);
    shadow_close(s);
    return action == ACTION_DONE;
}

HOT int serving_take(struct serving *s, enum reason reason)
{
    struct decision *d = &s->decision;
    const struct memo_key key = call_key(s->call);
    struct answer *const place = reason ? NULL : &memo_take(&s->comm->memo, &key)->answer;
    decision_begin(d, &process.settings, &s->comm->known, place, reason);
    if (!take_actions(s))
        return s->error;
    const bool looked = !reason && !d->at_once;
    const bool valid = looked ? d->plan.reason != REASON_INVALID
                              : s->error == MPI_SUCCESS || (reason != REASON_INVALID && look_at_arguments(s));
    if (valid)
        count_made(s->comm, &d->question.facts, true, d->earns);
    if (d->at_once && s->error == MPI_SUCCESS)
        note_accepted(s->call, s->comm, &d->question.facts);
    if (s->record) {
        const struct served served = recording_served(d, valid);
        recording_end(s->record, s->call, s->comm, &served);
    }
    return s->error;
}

struct plan serving_ask(struct serving *s, const struct facts *f)
{
    struct decision *d = &s->decision;
    enum action action;
    struct answer unused = {.question.generation = 0};
    d->question.facts = *f;
    decision_begin(d, &process.settings, &s->comm->known, &unused, REASON_NONE);
    while ((action = decision_next(d)) != ACTION_REPEAT && action != ACTION_PREPARE && action != ACTION_RESERVE &&
           action != ACTION_RUN)
        decision_heard(d, action, perform_action(s, action));
    return action == ACTION_RUN || action == ACTION_REPEAT
               ? d->plan
               : choose_answer(d->settings, &d->policy, &d->question, d->known->choices);
}
