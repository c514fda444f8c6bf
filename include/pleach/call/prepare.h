/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepares operations: from a plan to an operation that is ready to run. */
#pragma once

#include "call.h"

/*
 * Makes the part of an operation that follows from the plan. `rule`: the rule for the call, or NULL. The caller has set
 * o->facts and o->plan, and calls operation_end() at the end.
 */
void prepare_plan(struct operation *o, const struct rule *rule, const struct comm *comm);

/* Would prepare_data() change nothing, but for the operation of the program? */
bool prepare_fits(const struct operation *o, const struct view *v);

/* Makes a planned operation fit the data of this view. If memory for the typemap is short, perform() fails. */
void prepare_data(struct operation *o, const struct view *v, const struct comm *comm);

/*
 * Makes an entry of the memo that of a call with this count, which it covers. Then the operation is ready only if it was
 * ready before, and if the datatype is plain. Returns true if the operation has the same schedule as before.
 */
bool prepare_size(struct memo_entry *x, int64_t count, const struct comm *comm);

/* Runs the operation, and returns its error. For calls that the program has not made. */
int perform_quietly(const struct operation *o, const struct view *v, struct comm *comm);

/* Runs the operation, and returns its error. On failure, calls the error handler of the application's communicator. */
int perform(const struct operation *o, const struct view *v, struct comm *comm);
