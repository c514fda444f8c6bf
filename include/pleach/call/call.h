/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An intercepted call: its arguments as the program passed them. They become facts, which are equal on all ranks, and this
 * rank's view. The room `choose` never sees the view.
 */
#pragma once

#include "comm.h"
#include "native.h"

_Static_assert(sizeof(argument) >= sizeof(MPI_Count), "Pleach needs a machine whose addresses have 64 bits");

/* Passes the call to the MPI library: to the function for large counts only if the library has it. */
int native(const struct call *c);

/*
 * Passes the call unchanged to the function `f`. If `f` is NULL, MPI lacks the function for large counts: MPI_ERR_COUNT goes
 * to the communicator's error handler.
 */
int native_by(const struct call *c, void *f);

/*
 * Does what native() does, by the algorithm that the native engine `e` names, if it names one. `named`: a setting or a rule
 * names `e`; see algorithms.h.
 */
int native_with(const struct call *c, const struct engine *e, bool named);

/*
 * Does what native_with() does. But if MPI_Reduce would crash with MPI_IN_PLACE (pmpi_reduce_crashes()), the send buffer is
 * a copy of the root's input. Without memory for a copy, the call is made unchanged. `f`: as from describe().
 */
int native_mended(const struct call *c, const struct comm *comm, const struct facts *f, const struct engine *e, bool named);

/*
 * Fills the facts from the arguments. Checks the arguments only as far as the facts need them. Returns REASON_NONE, or why
 * the call must be native. Costs a few nanoseconds if the size of the datatype is known (sizes.h).
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
 * Does the operation of this call still exist, which was valid before? `f`: the facts of the call. The program may free its
 * own operations alone. If it has kept the handle of one that it has freed, MPI reports the error as it does outside of
 * communicators.
 */
bool op_stands(const struct call *c, const struct facts *f);

/*
 * Would the MPI library accept all arguments of the call? True also if we cannot ask the library, and on an
 * intercommunicator. If the count is 0, the buffers are not checked. See comm_of().
 */
bool call_valid(const struct comm *draft, const struct call *c);

/*
 * Sets the view. The MPI library itself checks the buffers, the datatype and the operation, on the self communicator
 * (self_comm.h), so that no error handler runs. Returns REASON_NONE or, if an argument is invalid, REASON_INVALID; then the
 * native call reports the error. `f`: as from describe().
 */
enum reason validate(const struct call *c, const struct comm *comm, const struct facts *f, struct view *v);

/*
 * Keeps a call that runs now, with what is known of it: with its view if it is valid; with NULL, that its datatype lives.
 * `x`: the entry for such calls.
 */
void call_keep(struct memo_entry *x, const struct call *c, const struct facts *f, const struct view *v);

/*
 * Is the call valid, by what is kept of such calls? Their datatype lives. If so, sets x->view to the buffers of this call.
 */
bool call_valid_again(struct memo_entry *x, const struct call *c, const struct comm *comm);

/* Would the MPI library accept all arguments of this call? If so, keeps the call. */
bool still_valid(const struct call *c, struct comm *comm, const struct facts *f);
