/* SPDX-License-Identifier: BSD-2-Clause */
/* Verify: an engine's result held against the native call's. */
#ifndef PLEACH_VERIFY_H
#define PLEACH_VERIFY_H

#include "call.h"
#include "results.h"

/*
 * Collective over comm, for a valid call that has been prepared: performs it twice, by the engine of *plan and natively, and
 * tells of the first call whose results differ. The application gets the native result. If some rank has no memory for it,
 * all ranks run only the native call, and *plan says so. Returns what the MPI function shall return. `caller`: return
 * address of the intercepted call.
 */
int verify_call(const struct call *c, struct comm *comm, const struct facts *f, const struct view *v,
                const struct operation *o, struct plan *plan, void *caller);

/* The numbers in a datatype. Opaque bytes if it has several basic types, or one that is not known here. See pattern.c. */
struct pattern pattern_of(MPI_Datatype type);

/* Tells how many calls were verified on this process, and how many differed: for the end of the process. */
void verify_report(void);

#endif
