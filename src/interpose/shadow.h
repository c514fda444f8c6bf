/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A shadow trial: a call like the application's, before it, by the candidate at turn, on buffers of zeros. Its time helps
 * later runs.
 */
#pragma once

#include "serving.h"

/* The operation for the decision's plan. NULL: no memory, which shadow_reserve() tells all ranks. */
struct operation *shadow_operation(struct serving *s);

/* Collective. Allocates the buffers. False on all ranks if some rank lacks memory. */
bool shadow_reserve(struct serving *s);

/* Collective. Runs and times the plan, and frees its memory. */
void shadow_run(struct serving *s);

/* Ends the shadow trial, if there is one, and frees its memory. */
void shadow_close(struct serving *s);
