/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepare: from the facts of a call to an operation that is ready to run. */
#ifndef PLEACH_PREPARE_H
#define PLEACH_PREPARE_H

#include "call.h"

/*
 * Collective over comm, for a valid call that choose_quick() leaves open. Finds out where its ranks lie, which rule it meets
 * and, if the choice may depend on them, the machine's figures; chooses; and gets what an engine needs: the private
 * communicator, scratch memory and the operation, which the communicator keeps for calls of the same kind.
 *
 * Returns the plan. If it has an engine that is to run (no dry run), *o is the operation, which is comm's and stays until
 * the next call on it; else *o is NULL, and the native call is to run. `caller`: return address of the intercepted call.
 */
struct plan prepare(const struct facts *f, const struct view *v, struct comm *comm, void *caller,
                    const struct operation **o);

/*
 * Makes an operation whose facts, rule, in_place and plan the caller has set, for the datatype of a view. If memory for its
 * typemap is short, perform() will say so. The caller frees o->map.
 */
void prepare_operation(struct operation *o, const struct view *v, const struct comm *comm);

/* Runs it. Returns MPI_SUCCESS, or what the error handler of the application's communicator makes of an error. */
int perform(const struct operation *o, const struct view *v, struct comm *comm);

#endif
