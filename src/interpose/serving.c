/* SPDX-License-Identifier: BSD-2-Clause */
/* See serving.h. */
#include "serving.h"

#include "arithmetic.h"
#include "hot.h"
#include "look.h"
#include "measure.h"
#include "nodes.h"
#include "prepare.h"
#include "process.h"
#include "call_record.h"
#include "seconds.h"
#include "shadow.h"
#include "sharing.h"
#include "small_stack.h"
#include "trials.h"
#include "sizes.h"
#include "verify.h"
#include "watch.h"

#include <assert.h>
#include <stdlib.h>

static bool look_at_arguments(struct serving *s)
{
    return validate(s->call, s->comm, &s->decision.question.facts, &s->view) == REASON_NONE;
}

/* Instead of look_at_arguments(), after a call; without a view. */
static bool check_arguments(struct serving *s)
{
    return still_valid(s->call, s->comm, &s->decision.question.facts);
}

bool serving_count(const struct call *c, struct comm *comm, const struct facts *f, bool ran, bool valid, int64_t earns)
{
    if (!call_counts(f, ran) || !(valid || still_valid(c, comm, f)))
        return false;
    known_made(&comm->known, earns);
    return true;
}

void serving_keep(const struct call *c, struct comm *comm, const struct facts *f, enum reason reason)
{
    const struct memo_key key = call_key(c);
    struct memo_entry *x = memo_find(&comm->memo, &key);
    if (!x)
        return;
    x->answer = (struct answer){.question = {.facts = *f, .learned = -1, .generation = comm->known.machine.generation},
                                .plan = {.engine = engines[0], .reason = reason},
                                .policy = policy_of(&process.settings, NULL, f),
                                .history = comm->known.history,
                                .stands = true};
    answer_extend(&x->answer, &process.settings, NULL, f);
    x->answer.question.facts.machine = NULL;
    memo_extend(x, call_count(c));
}

static bool fit(struct serving *s, struct memo_entry *x)
{
    if (x->operation.facts.bytes != s->decision.question.facts.bytes)
        operation_cut(&x->operation, &s->decision.question.facts, &s->decision.plan);
    prepare_data(&x->operation, &s->view, s->comm);
    call_keep(x, s->call, &s->decision.question.facts, &s->view);
    return x->ready = !operation_lacks_map(&x->operation);
}

HOT static bool repeat(struct serving *s)
{
    const struct decision *d = &s->decision;
    struct memo_entry *x = memo_entry_with(d->answer);
    const struct operation *o = &x->operation;
    if (!d->answer->prepared || !look_at_arguments(s) || !fit(s, x) ||
        !comm_acquire_quietly(s->comm, o->scratch_agreed, o->scratch))
        return false;
    serving_count(s->call, s->comm, &d->question.facts, false, true, d->earns);
    watch_phase(s->watched, PHASE_ENGINE, d->plan.engine);
    s->error = perform(o, &s->view, s->comm);
    return true;
}

#ifndef NDEBUG
/* Would a new answer to these facts be this one, and so cut? */
static bool as_new(const struct answer *a, const struct comm *comm, const struct facts *f)
{
    const struct policy p = policy_of(&process.settings, a->question.rule, f);
    struct question q = a->question;
    q.facts = *f;
    const struct plan plan = choose_answer(&process.settings, &p, &q, comm->known.choices);
    return policy_same(&p, &a->policy) && plan.engine == a->plan.engine && plan.blocks == a->plan.blocks &&
           plan.wide == a->plan.wide && plan.reason == a->plan.reason;
}

static bool decided(const struct call *c, struct comm *comm, enum action action, struct answer *a)
{
    struct decision d;
    struct program_state program;
    if (describe(c, comm, &d.question.facts))
        return false;
    const enum reason reason = policy_quick(&process.settings, &d.question.facts);
    if (reason)
        return action == ACTION_RUN && a->plan.reason == reason;
    arithmetic_begin(&program);
    decision_begin(&d, &process.settings, &comm->known, a, REASON_NONE);
    const bool same = decision_next(&d) == action && d.answer == a && as_new(a, comm, &d.question.facts);
    arithmetic_end(&program);
    return same;
}
#endif

/* Of arguments that are `valid`; with the same schedule `again`. */
static inline bool runs_unchecked(struct memo_entry *x, struct comm *comm, bool valid, bool again)
{
    struct operation *const o = &x->operation;
    if (engine_by_mpi(x->answer.plan.engine)) /* must be valid if it counts in a kind, or before it runs */
        return valid || !(x->answer.kind || call_counts(&x->answer.question.facts, false));
    if (!valid || !x->ready || !x->answer.prepared || !comm_acquire_quietly(comm, o->scratch_agreed, o->scratch))
        return false;
    if (!o->schedule && again)
        operation_keep(o);
    return true;
}

/*
 * x's datatype may be gone: keeps a valid call with another of the same identity. After RENEWALS, size_asked() shall see the
 * type, which may stay.
 */
static bool renew(const struct call *c, const struct comm *comm, struct memo_entry *x)
{
    enum { RENEWALS = 256 };
    struct view view;
    if (!x->ready || x->key.count != call_count(c) || x->renewed == RENEWALS ||
        validate(c, comm, &x->answer.question.facts, &view) || !prepare_fits(&x->operation, &view))
        return false;
    x->valid = true;
    x->life = type_life(view.datatype, x->operation.type.number);
    x->renewed++;
    x->view = view;
    x->in = c->in;
    x->out = c->out;
    return true;
}

HOT bool serving_again(struct serving *s)
{
    const struct call *c = s->call;
    struct comm *comm = s->comm;
    const struct memo_key key = call_key(c);
    struct memo_entry *x = s->record && process.settings.dry_run ? NULL : memo_find(&comm->memo, &key);
    if (!x || comm->known.barred || !answer_lasts(&x->answer, &comm->known) || !(type_lives(x->life) || renew(c, comm, x)))
        return false;
    const bool known = call_valid_again(x, c, comm), same = x->key.count == key.count;
    if (s->record && !same)
        return false; /* its expected time is unknown */
    const bool again = same || prepare_size(x, key.count, comm);
    const struct facts facts = x->answer.question.facts;
    if (!op_stands(c, &facts) || pmpi_ending() || !runs_unchecked(x, comm, known, again))
        return false;
    /* An error handler's calls may take the entry's place. */
    struct kind *const kind = x->answer.kind;
    const int64_t earns = x->answer.earns;
    struct served served = {
        .bytes = facts.bytes, .plan = x->answer.plan, .runs = x->answer.plan.engine, .expected = x->answer.expected};
    const bool engine = !engine_by_mpi(served.runs);
    assert(decided(c, comm, engine ? ACTION_REPEAT : ACTION_RUN, &x->answer));
    serving_count(c, comm, &facts, false, known, earns);
    if (s->watched)
        watch_describe(s->watched, comm, facts.bytes, engine ? PHASE_ENGINE : PHASE_NATIVE, served.runs);
    s->error = engine ? perform(&x->operation, &x->view, comm)
                      : native_mended(c, comm, &facts, served.runs, plan_named(&served.plan));
    if (!comm_stands(comm, (MPI_Comm)c->comm, s->error))
        return true;
    served.valid = known || s->error == MPI_SUCCESS || still_valid(c, comm, &facts);
    if (kind)
        kind_count(kind, &facts, NULL);
    if (served.valid)
        serving_count(c, comm, &facts, true, true, earns);
    else
        served.plan.reason = REASON_INVALID;
    if (s->record && kind)
        call_record_expect(kind, &facts, served.plan.engine, &served.expected);
    if (s->record)
        call_record_end(s->record, c, comm, &served);
    return true;
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
        call_site_capture(frame, s->caller);
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

/* And the operation's scratch memory, if there is one. A rank that lacks the typemap says so here. */
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

static bool carry(struct serving *s)
{
    const double began = seconds_now();
    const bool carried = comm_carry(s->comm, s->decision.plan.engine->algorithm);
    trials_lose(seconds_now() - began);
    return carried;
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

static bool prepare(struct serving *s)
{
    struct decision *d = &s->decision;
    if (!d->answer) {
        s->operation = shadow_operation(s);
    } else {
        struct memo_entry *x = memo_entry_with(d->answer);
        struct operation *o = s->operation = &x->operation;
        if (!d->answer->prepared) {
            operation_end(o);
            *o = (struct operation){.facts = d->question.facts, .plan = d->plan};
            prepare_plan(o, d->question.rule, s->comm);
            d->answer->prepared = true;
        }
        fit(s, x);
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
    const bool valid = d->plan.reason != REASON_INVALID && serving_count(s->call, s->comm, f, false, engine, d->earns);
    if (d->answer && !engine)
        call_keep(memo_entry_with(d->answer), s->call, f, d->unchecked ? NULL : &s->view);
    if (s->record)
        call_record_run(s->record);
    if (d->timed && s->moment) {
        if (engine)
            operation_fetch(s->operation, &s->comm->channel);
        trials_await(s->comm, s->moment);
    }
    if (d->timed)
        trials_begin(s->comm, &d->when);
    watch_phase(s->watched, engine ? PHASE_ENGINE : PHASE_NATIVE, d->runs);
    s->error = d->verifies ? verify_call(s)
               : engine    ? perform(s->operation, &s->view, s->comm)
                           : native_mended(s->call, s->comm, f, d->runs, plan_named(&d->plan));
    if (!comm_stands(s->comm, (MPI_Comm)s->call->comm, s->error))
        return true;
    if (d->timed)
        trials_end(s->comm, &d->when);
    if (d->timed && s->moment) {
        watch_phase(s->watched, PHASE_AGREEING, NULL);
        trials_leave(s->comm);
    }
    return !d->unchecked || valid || (ABI_REPORTS_ALL && s->error == MPI_SUCCESS);
}

static bool perform_action(struct serving *s, enum action action)
{
    static bool (*const performer[ACTIONS])(struct serving *) = {
        [ACTION_REPEAT] = repeat,
        [ACTION_VALIDATE] = look_at_arguments,
        [ACTION_SETTLE] = settle_nodes,
        [ACTION_SITES] = compare_sites,
        [ACTION_INHERIT] = inherit,
        [ACTION_ACQUIRE] = acquire,
        [ACTION_SHARE] = share_memory,
        [ACTION_CARRY] = carry,
        [ACTION_LOOK] = look_at_network,
        [ACTION_MEASURE] = measure_machine,
        [ACTION_SYNC] = sync_history,
        [ACTION_RESERVE] = reserve,
        [ACTION_PREPARE] = prepare,
        [ACTION_SHADOW] = run_shadow,
        [ACTION_RUN] = run,
        [ACTION_CHECK] = check_arguments,
    };
    return performer[action](s);
}

/*
 * All before the call, or a repeated call. False: the communicator is gone. From VALIDATE to RUN in our own arithmetic, as
 * ranks must choose alike.
 */
HOT static bool perform_actions(struct serving *s)
{
    struct decision *d = &s->decision;
    enum action action;
    struct program_state program = {.error = 0};
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

HOT int serving_perform(struct serving *s, enum reason reason)
{
    struct decision *d = &s->decision;
    const struct memo_key key = call_key(s->call);
    struct answer *const place = reason ? NULL : &memo_place(&s->comm->memo, &key)->answer;
    decision_begin(d, &process.settings, &s->comm->known, place, reason);
    if (!perform_actions(s))
        return s->error;
    const bool looked = !reason && !d->unchecked;
    const bool valid = looked ? d->plan.reason != REASON_INVALID
                              : s->error == MPI_SUCCESS || (reason != REASON_INVALID && look_at_arguments(s));
    if (valid)
        serving_count(s->call, s->comm, &d->question.facts, true, true, d->earns);
    if (s->record) {
        const struct served served = call_record_served(d, valid);
        call_record_end(s->record, s->call, s->comm, &served);
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
