/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares results of engines with native ones. */
#pragma once

#include "exact.h"
#include "results.h"
#include "serving.h"

/* Collective. Gets memory for verify_call(). Returns false on all ranks if some rank lacks it. */
bool verify_reserve(struct serving *s);

/*
 * Collective, for a valid call with a prepared operation. Makes it by the plan's engine and natively; reports the first call
 * of the process that differs. The application gets the native result. Frees the memory. Returns the MPI function's value.
 */
int verify_call(struct serving *s);

/*
 * Collective. Makes the native call of an exact sum that has begun, and a native sum of magnitudes. NULL on all ranks if
 * some rank lacks memory.
 */
struct verify_exact *verify_exact_begin(const struct exact *x, const struct call *c);

/*
 * After all parts: reports a sum, if the first of the process, that differs by more than another order can cause. `v`: or
 * NULL; freed.
 */
void verify_exact_end(struct verify_exact *v, const struct exact *x, void *caller);

/* The numbers in a datatype. Several basic types, or an unknown one, are opaque bytes. */
struct pattern pattern_of(MPI_Datatype type);

/* Call it at the end. With PLEACH_VERIFY, prints how many calls differed on this rank; if none did, only rank 0 prints. */
void verify_report(void);
