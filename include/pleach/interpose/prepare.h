/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepare: from a plan to an operation that is ready to run. */
#ifndef PLEACH_PREPARE_H
#define PLEACH_PREPARE_H

#include "call.h"

/*
 * Makes an operation for the datatype of a view. The caller has set its facts, in_place and plan. If memory for its typemap
 * is short, perform() fails. The caller calls operation_end().
 */
void prepare_operation(struct operation *o, const struct view *v, const struct comm *comm);

/* Sets o->fold: calls with different operations may share an answer. prepare_operation() does so, too. */
void prepare_fold(struct operation *o, const struct view *v, const struct comm *comm);

/* Does an earlier operation fit the data of this call, too? */
bool prepared_data(const struct operation *o, const struct view *v);

/* Runs it. Returns MPI_SUCCESS, or what the error handler of the application's communicator returns. */
int perform(const struct operation *o, const struct view *v, struct comm *comm);

#endif
