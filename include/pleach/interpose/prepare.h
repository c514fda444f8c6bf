/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepares operations: from a plan to an operation that is ready to run. */
#ifndef PLEACH_PREPARE_H
#define PLEACH_PREPARE_H

#include "call.h"

/*
 * Makes an operation for the datatype of a view. `rule`: the rule for the call, or NULL. The caller has set o->facts,
 * o->in_place and o->plan, and calls operation_end() at the end. If memory for the typemap is short, perform() fails.
 */
void prepare_operation(struct operation *o, const struct rule *rule, const struct view *v, const struct comm *comm);

/* Sets o->fold for the view's MPI_Op: one answer may serve calls with several MPI_Ops. prepare_operation() sets it, too. */
void prepare_fold(struct operation *o, const struct view *v, const struct comm *comm);

/* True if an operation that an earlier call has prepared fits the data of this call. */
bool prepared_data(const struct operation *o, const struct view *v);

/* Runs the operation, and returns its error. For calls that the program has not made. */
int perform_quietly(const struct operation *o, const struct view *v, struct comm *comm);

/* Runs the operation, and returns its error. On failure, calls the error handler of the application's communicator. */
int perform(const struct operation *o, const struct view *v, struct comm *comm);

#endif
