/* SPDX-License-Identifier: BSD-2-Clause */
/* An intercepted call. Its arguments become facts, equal on all ranks, and this rank's view. */
#pragma once

#include "comm.h"
#include "native.h"

_Static_assert(sizeof(argument) >= sizeof(MPI_Count), "Pleach needs a machine whose addresses have 64 bits");

/* Calls the MPI library, by the function for large counts only if it has one. */
int native(const struct call *c);

/* Passes the call to `f` unchanged. NULL: MPI has no such function; the communicator's error handler gets MPI_ERR_COUNT. */
int native_by(const struct call *c, void *f);

/*
 * native() by the algorithm of the native engine `e`, if it names one. `named`: a setting or rule names `e` (algorithms.h).
 */
int native_with(const struct call *c, const struct comm *comm, const struct engine *e, bool named);

/*
 * native_with(), with a copy of the root's input where MPI_Reduce would crash with MPI_IN_PLACE (pmpi_reduce_crashes()), if
 * there is memory. `f`: from describe().
 */
int native_mended(const struct call *c, const struct comm *comm, const struct facts *f, const struct engine *e, bool named);

/*
 * Fills the facts, and checks no more than they need. Returns REASON_NONE, or why the call is native. Takes nanoseconds if
 * the type's size is known.
 */
enum reason describe(const struct call *c, const struct comm *comm, struct facts *f);

static inline struct memo_key call_key(const struct call *c)
{
    const bool reduces = collective_reduces(c->collective);
    return (struct memo_key){.count = call_count(c),
                             .datatype = HANDLE_BITS((MPI_Datatype)c->datatype),
                             .op = reduces ? HANDLE_BITS((MPI_Op)c->op) : 0,
                             .collective = (int)c->collective,
                             .root = (int)c->root,
                             .in_place = reduces && c->in == MPI_IN_PLACE};
}

/*
 * Does the operation, which was valid, still exist? Only the program's own may be gone: MPI reports that as an error outside
 * of communicators.
 */
bool op_stands(const struct call *c, const struct facts *f);

/*
 * Would MPI accept the arguments? True, too, on intercommunicators, or if we cannot ask. With count 0, buffers are not
 * checked.
 */
bool call_valid(const struct comm *draft, const struct call *c);

/*
 * Lets MPI check the arguments, without error handlers, and sets the view. Returns REASON_NONE or REASON_INVALID, which the
 * native call then reports. `f`: from describe().
 */
enum reason validate(const struct call *c, const struct comm *comm, const struct facts *f, struct view *v);

/* Keeps in `x` a call that runs now. `v`: its view if it is valid; NULL: it is only known that its datatype lives. */
void call_keep(struct memo_entry *x, const struct call *c, const struct facts *f, const struct view *v);

/* Is the call valid, by what is kept? Its datatype lives. If so, sets x->view to its buffers. */
bool call_valid_again(struct memo_entry *x, const struct call *c, const struct comm *comm);

/* Would MPI accept the arguments? If so, keeps the call. */
bool still_valid(const struct call *c, struct comm *comm, const struct facts *f);
