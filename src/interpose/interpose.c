/* SPDX-License-Identifier: BSD-2-Clause */
/* Serves a call: describes it, and performs its actions (serving.h). */
#include "interpose.h"

#include "algorithms.h"
#include "exact.h"
#include "hot.h"
#include "large_stack.h"
#include "library.h"
#include "process.h"
#include "call_record.h"
#include "verify.h"
#include "watch.h"

/* Native, without a decision. Where no engine can serve, calls need not count. */
HOT static int pass(const struct call *c, struct comm *comm, const struct facts *f, enum reason reason)
{
    const bool decides = f->ranks > 1 && !f->barred && !process.settings.disable;
    if (decides && serving_count(c, comm, f, false, false, 0) && reason == REASON_BELOW_THRESHOLD)
        serving_keep(c, comm, f, reason);
    int error = native_mended(c, comm, f, engines[0], false);
    if (!comm_stands(comm, (MPI_Comm)c->comm, error))
        return error;
    if (decides)
        serving_count(c, comm, f, true, error == MPI_SUCCESS, 0);
    return error;
}

/* `w`: shows the progress; or NULL. */
HOT static int serve_as_is(const struct call *c, struct comm *comm, void *caller, struct watched *w)
{
    struct record record;
    struct serving s;
    struct facts *facts = &s.decision.question.facts;
    known_begin(&comm->known);
    s.call = c;
    s.comm = comm;
    s.caller = caller;
    s.watched = w;
    s.record = record_on() ? &record : NULL;
    if (s.record)
        call_record_begin(s.record, caller);
    if (serving_again(&s))
        return s.error;
    enum reason reason = describe(c, comm, facts);
    if (w)
        watch_describe(w, comm, reason == REASON_INVALID ? -1 : facts->bytes, PHASE_NATIVE, NULL);
    if (!reason)
        reason = policy_quick(&process.settings, facts);
    if (!reason && pmpi_ending())
        reason = REASON_NOT_APPLICABLE; /* no engine fits any call now */
    if (reason && !s.record)
        return pass(c, comm, facts, reason);
    s.shadow = NULL;
    s.operation = NULL;
    s.error = MPI_SUCCESS;
    s.moment = 0;
    return serving_perform(&s, reason);
}

/* Of an exact sum. MPI may need more stack for integers than for doubles. */
struct part_call {
    struct exact *sum;
    void *caller;
    struct watched *watched;
};

static void serve_part(void *argument)
{
    const struct part_call *p = argument;
    p->sum->error = serve_as_is(&p->sum->part, p->sum->comm, p->caller, p->watched);
}

static int serve_sum(const struct call *c, struct comm *comm, void *caller, struct watched *w)
{
    struct exact x;
    if (w)
        watch_describe(w, comm, -1, PHASE_AGREEING, NULL);
    if (!exact_begin(&x, c, comm))
        return serve_as_is(c, comm, caller, w);
    struct verify_exact *v =
        process.settings.verify && comm->known.barred != REASON_INTERCOMM ? verify_exact_begin(&x, c) : NULL;
    while (exact_next(&x))
        large_stack_call(serve_part, &(struct part_call){&x, caller, w});
    verify_exact_end(v, &x, caller);
    return exact_end(&x);
}

HOT static int serve(const struct call *c, void *caller, struct watched *w)
{
    algorithm_end();
    struct comm *comm = comm_of((MPI_Comm)c->comm, call_valid, c);
    if (!comm)
        return native(c);
    const bool exact = process.settings.exact[c->collective] && collective_reduces(c->collective);
    return exact ? serve_sum(c, comm, caller, w) : serve_as_is(c, comm, caller, w);
}

static int serve_watched(const struct call *c, void *caller)
{
    struct watched *w = watch_enter(c, caller);
    int error = serve(c, caller, w);
    if (w)
        watch_leave(w, w->comm && comm_stands(w->comm, (MPI_Comm)c->comm, error));
    return error;
}

HOT int intercept(const struct call *c, void *caller)
{
    enum library_state state = library_reached();
    if (state < LIBRARY_READY)
        state = library_start(state, (MPI_Comm)c->comm);
    return state == LIBRARY_READY ? serve(c, caller, NULL) : state == LIBRARY_WATCHED ? serve_watched(c, caller) : native(c);
}
