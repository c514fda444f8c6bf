/* SPDX-License-Identifier: BSD-2-Clause */
/* Verifies calls: compares the engine's result with that of the native call. */
#pragma once

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

/* The numbers in a datatype; see pattern.c. Several basic types, or an unknown one, count as opaque bytes. */
struct pattern pattern_of(MPI_Datatype type);

/*
 * With PLEACH_VERIFY: prints how many of this process's verified calls differed. If none differed, only rank 0 prints. Call
 * it at the end of the process.
 */
void verify_report(void);
