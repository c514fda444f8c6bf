/* SPDX-License-Identifier: BSD-2-Clause */
/* Interpose: the way of a call: describe, prepare, run (or native), record. The MPI_ functions themselves: wrappers.c. */
#include "interpose.h"

#include "library.h"
#include "prepare.h"
#include "process.h"
#include "recording.h"
#include "verify.h"

int intercept(const struct call *c, void *caller)
{
    struct facts facts;
    MPI_Comm handle = (MPI_Comm)c->comm;
    struct comm *comm = library_ready(handle, caller) ? comm_of(handle, call_valid, c) : NULL;
    if (!comm)
        return native(c);
    enum reason reason = describe(c, comm, &facts);
    if (!reason)
        reason = choose_quick(&process.settings, &facts);
    if (reason && !record_on())
        return native_mended(c, comm, &facts);

    /* Only now: to clear these would cost a short call more than all the rest. */
    struct plan plan = {.engine = engines[0], .reason = reason};
    struct record record = {0};
    struct view view;
    const struct operation *o = NULL;
    if (record_on())
        recording_begin(&record, caller);
    if (!plan.reason)
        plan.reason = validate(c, comm, &facts, &view);
    if (!plan.reason)
        plan = prepare(&facts, &view, comm, caller, &o);
    int error = !o                        ? native_mended(c, comm, &facts)
                : process.settings.verify ? verify_call(c, comm, &facts, &view, o, &plan, caller)
                                          : perform(o, &view, comm);
    if (record_on())
        recording_end(&record, c, comm, &facts, &plan);
    return error;
}
