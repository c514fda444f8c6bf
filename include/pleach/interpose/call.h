/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An intercepted call: its arguments as they came. They are split in two: facts, which are equal on all ranks, and this
 * rank's view, which `choose` never sees.
 */
#ifndef PLEACH_CALL_H
#define PLEACH_CALL_H

#include "comm.h"

/*
 * Handles are ints in one binary interface and addresses in another, and programs for both call the same names: so arguments
 * are passed on as wide as they came, and are narrowed only after the library under us has shown to have our interface.
 */
typedef intptr_t argument;

struct call {
    enum collective collective;
    bool large;                               /* the _c form: count is an MPI_Count */
    const void *in;                           /* send buffer, MPI_IN_PLACE; unused by broadcast */
    void *out;                                /* receive buffer; broadcast: the buffer */
    argument count, datatype, op, root, comm; /* as passed; op and root 0 where the collective has none */
};

/* Hands the call to the MPI library as it came. */
int native(const struct call *c);

/* Hands it, as it came, to this function; NULL: there is no MPI library in this process, which is an error. */
int native_by(const struct call *c, void *f);

/*
 * Likewise, but where MPI_Reduce crashes with MPI_IN_PLACE (pmpi_reduce_crashes()), the root's input is copied, and given as
 * a send buffer. After describe().
 */
int native_mended(const struct call *c, const struct comm *comm, const struct facts *f);

/*
 * Fills the facts from the arguments, without asking whether these are right beyond what is needed for that. REASON_NONE, or
 * why the call must be native. Costs a few nanoseconds: runs on every call.
 */
enum reason describe(const struct call *c, const struct comm *comm, struct facts *f);

/* Elements of the datatype, as passed. */
static inline int64_t call_count(const struct call *c)
{
    return c->large ? (int64_t)c->count : (int)c->count;
}

/* Would the MPI library take this buffer? Calls no error handler. */
bool buffer_valid(const void *buffer, int64_t count, MPI_Datatype type);

/* Would it take all arguments of a struct call on this communicator? See comm_of(). Yes where it cannot be asked. */
bool call_valid(const struct comm *draft, const void *call);

/*
 * For calls that may take an engine: checks every argument by asking the MPI library itself, on the probe (probe.h), so that
 * no error handler runs. REASON_NONE and the view, or REASON_INVALID: then the native call reports what it always reports.
 */
enum reason validate(const struct call *c, const struct comm *comm, const struct facts *f, struct view *v);

#endif
