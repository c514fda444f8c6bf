/* SPDX-License-Identifier: BSD-2-Clause */
/* From a plan to an operation ready to run. */
#pragma once

#include "call.h"

/* Makes what follows from the plan; operation_end() frees it. o->facts and o->plan are set. `rule`: or NULL. */
void prepare_plan(struct operation *o, const struct rule *rule, const struct comm *comm);

/* Would prepare_data() change nothing but the operation of the program? */
bool prepare_fits(const struct operation *o, const struct view *v);

/* Makes a planned operation fit the view's data. Without memory for the typemap, perform() fails. */
void prepare_data(struct operation *o, const struct view *v, const struct comm *comm);

/*
 * Makes the entry that of a call with this count, which it covers. The operation is ready if it was, and the datatype plain.
 * True: it has the same schedule.
 */
bool prepare_size(struct memo_entry *x, int64_t count, const struct comm *comm);

/* Runs the operation, for calls that the program has not made. Returns its error. */
int perform_quietly(const struct operation *o, const struct view *v, struct comm *comm);

/* Runs the operation. Returns its error, after the error handler of the application's communicator. */
int perform(const struct operation *o, const struct view *v, struct comm *comm);
