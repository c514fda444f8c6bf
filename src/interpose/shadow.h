/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A shadow trial is a call like the application's, served by the candidate whose turn it is, on buffers of our own that are
 * full of zeros. It runs before the application's call. The next run of the program may use the time of the trial.
 */
#pragma once

#include "serving.h"

/* Returns the operation for the decision's plan, or NULL if memory is short. Then shadow_reserve() tells all ranks. */
struct operation *shadow_operation(struct serving *s);

/* Collective. Allocates the buffers. Returns false on all ranks if some rank lacks memory for the trial. */
bool shadow_reserve(struct serving *s);

/* Collective. Runs the plan on the buffers, and notes its beginning and end. Frees the memory of the trial. */
void shadow_run(struct serving *s);

/* Ends the call's shadow trial, if there is one, and frees its memory. */
void shadow_close(struct serving *s);
