/* SPDX-License-Identifier: BSD-2-Clause */
/* Verifies calls: compares the engine's result with that of the native call. */
#pragma once

#include "exact.h"
#include "results.h"
#include "serving.h"

/* Collective. Allocates the memory for verify_call(). Returns false on all ranks if some rank lacks it. */
bool verify_reserve(struct serving *s);

/*
 * Collective over the communicator, for a valid call with a prepared operation. Performs the call twice, by the engine of
 * the plan and natively. If the results differ, reports the call, unless this process has already reported one. The
 * application gets the native result. Frees the memory. Returns the MPI function's return value.
 */
int verify_call(struct serving *s);

/*
 * Collective. For an exact sum that has begun: makes the native call, with its result in memory of ours, and a native sum of
 * the magnitudes. Returns what verify_exact_end() needs, or NULL on all ranks if some rank lacks memory.
 */
struct verify_exact *verify_exact_begin(const struct exact *x, const struct call *c);

/*
 * Once all parts of the sum have been made: reports the sum if it differs from the native result by more than another order
 * of operands can cause, unless this process has already reported a call. Frees the memory. `v` may be NULL.
 */
void verify_exact_end(struct verify_exact *v, const struct exact *x, void *caller);

/* The numbers in a datatype; see pattern.c. Several basic types, or an unknown one, count as opaque bytes. */
struct pattern pattern_of(MPI_Datatype type);

/*
 * With PLEACH_VERIFY: prints how many of this process's verified calls differed. If none differed, only rank 0 prints. Call
 * it at the end of the process.
 */
void verify_report(void);
