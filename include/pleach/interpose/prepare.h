/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepare: from the facts of a call to an operation that is ready to run. */
#ifndef PLEACH_PREPARE_H
#define PLEACH_PREPARE_H

#include "call.h"

/* A call that is ready. */
struct prepared {
    struct plan plan;
    struct expected expected;          /* set where calls are recorded; else 0 */
    const struct operation *operation; /* to be run: comm's, until the next call on it; NULL: the native call is to run */
    struct kind *kind;                 /* to be counted behind the call; NULL: nothing is learned from it */
    bool timed;                        /* and timed */
};

/*
 * Collective over comm, for a valid call that choose_quick() leaves open. Finds out where its ranks lie, which rule it meets,
 * what its ledger says and, if the choice may depend on them, the machine's figures; chooses; and gets what an engine needs:
 * the private communicator, scratch memory and the operation, which the communicator keeps for calls of the same kind. In a
 * dry run an engine is planned, but the native call is to run. `caller`: return address of the intercepted call.
 */
struct prepared prepare(const struct facts *f, const struct view *v, struct comm *comm, void *caller);

/*
 * Would prepare() do nothing but find that the native call is to run? Then it need not be called, nor the arguments be
 * checked. Sets *kind, to be counted behind a valid call, or NULL. The same on all ranks. Cheap.
 */
bool prepared_native(const struct facts *f, struct comm *comm, struct kind **kind);

/*
 * Makes an operation whose facts, rule, in_place and plan the caller has set, for the datatype of a view. If memory for its
 * typemap is short, perform() will say so. The caller frees o->map.
 */
void prepare_operation(struct operation *o, const struct view *v, const struct comm *comm);

/* Runs it. Returns MPI_SUCCESS, or what the error handler of the application's communicator makes of an error. */
int perform(const struct operation *o, const struct view *v, struct comm *comm);

#endif
