/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shadow trials: a call like the application's, served by the candidate whose turn it is, on buffers of our own that are
 * full of zeros. They come before the application's call; the next run may use what they find.
 */
#ifndef PLEACH_SHADOW_H
#define PLEACH_SHADOW_H

#include "serving.h"

/* The operation for the decision's plan. NULL: no memory; shadow_reserve() will say so. */
struct operation *shadow_operation(struct serving *s);

/* Collective. Gets buffers. False: some rank has no memory for all that the trial needs. */
bool shadow_reserve(struct serving *s);

/* Collective. Runs the plan on the buffers, and notes when. Frees what the trial has. */
void shadow_run(struct serving *s);

/* Frees what an abandoned trial has. */
void shadow_close(struct serving *s);

#endif
