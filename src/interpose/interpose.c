/* SPDX-License-Identifier: BSD-2-Clause */
/* Interpose: the way of a call: describe, prepare, run (or native), record. The MPI_ functions themselves: wrappers.c. */
#include "interpose.h"

#include "aside.h"
#include "library.h"
#include "prepare.h"
#include "process.h"
#include "recording.h"
#include "trials.h"
#include "verify.h"
#include "watch.h"

/* A native call that needs no preparing. It counts, also in its kind, if it is valid: on all ranks, or on none. */
static int pass(const struct call *c, struct comm *comm, const struct facts *f, struct kind *kind)
{
    struct view view;
    int error = native_mended(c, comm, f);
    if (f->bytes == 0 || f->ranks == 1 || f->barred)
        return error;
    if ((error == MPI_SUCCESS && (ABI_TELLS_ALL || !kind)) || !validate(c, comm, f, &view)) {
        comm->made++;
        if (kind)
            kind_count(kind, f, NULL);
    }
    return error;
}

/* `w`: where to tell how far the call is, or NULL. */
static int serve(const struct call *c, void *caller, struct watched *w)
{
    struct facts facts;
    struct kind *kind = NULL;
    struct comm *comm = comm_of((MPI_Comm)c->comm, call_valid, c);
    if (!comm)
        return native(c);
    enum reason reason = describe(c, comm, &facts);
    if (w)
        watch_describe(w, comm, &facts, reason);
    if (!reason)
        reason = choose_quick(&process.settings, &facts);
    if (!reason && process_ending())
        reason = REASON_NOT_APPLICABLE;
    if (!record_on() && (reason || prepared_native(&facts, comm, &kind)))
        return pass(c, comm, &facts, kind);

    /* Only now: to clear these would cost a short call more than all the rest. */
    struct prepared p = {.plan = {.engine = engines[0], .reason = reason}};
    struct record record = {0};
    struct timed when;
    struct view view;
    if (record_on())
        recording_begin(&record, caller);
    if (!p.plan.reason)
        p.plan.reason = validate(c, comm, &facts, &view);
    if (!p.plan.reason) {
        if (w)
            watch_phase(w, PHASE_AGREEING, NULL);
        p = prepare(&facts, &view, comm, caller);
    }
    if (p.kind && kind_tries(p.kind) >= 0) {
        aside_try(c, comm, &facts, &view, p.kind);
        p.kind = NULL;
    }
    if (record_on() && process.settings.dry_run)
        recording_begin_dry(&record, comm);
    if (p.timed)
        when.start = trials_clock(comm);
    if (w)
        watch_phase(w, p.operation ? PHASE_ENGINE : PHASE_NATIVE, p.plan.engine);
    int error = !p.operation              ? native_mended(c, comm, &facts)
                : process.settings.verify ? verify_call(c, comm, &facts, &view, p.operation, &p.plan, caller)
                                          : perform(p.operation, &view, comm);
    if (p.timed)
        when.end = trials_clock(comm);
    if (p.kind)
        kind_count(p.kind, &facts, p.timed ? &when : NULL);
    const bool valid = error == MPI_SUCCESS || (p.plan.reason != REASON_INVALID && !validate(c, comm, &facts, &view));
    comm->made += valid && facts.bytes > 0;
    if (record_on())
        recording_end(&record, c, comm, &facts, &p, valid);
    return error;
}

static int serve_watched(const struct call *c, void *caller)
{
    struct watched *w = watch_enter(c, caller);
    int error = serve(c, caller, w);
    if (w)
        watch_leave(w);
    return error;
}

int intercept(const struct call *c, void *caller)
{
    enum stage stage = library_reached();
    if (stage < STAGE_READY)
        stage = library_start(stage, (MPI_Comm)c->comm, caller);
    return stage == STAGE_READY ? serve(c, caller, NULL) : stage == STAGE_WATCHED ? serve_watched(c, caller) : native(c);
}
