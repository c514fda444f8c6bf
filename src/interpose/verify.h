/* SPDX-License-Identifier: BSD-2-Clause */
/* Verify: an engine's result held against the native call's. */
#ifndef PLEACH_VERIFY_H
#define PLEACH_VERIFY_H

#include "call.h"
#include "choose.h"
#include "comm.h"

struct verify;

/*
 * Collective over comm, whose private communicator exists, for a valid call: gets the memory for verifying it. NULL, on all
 * ranks, if some rank has none.
 */
struct verify *verify_open(const struct call *c, const struct comm *comm, const struct facts *f, const struct view *v);

/*
 * Performs the call twice, in the engine that the plan says and natively, and tells of the first call whose results differ.
 * The application gets the native result. Returns as run() does; frees `verify`. `caller`: return address of the
 * intercepted call.
 */
int verify_call(struct verify *verify, const struct plan *plan, struct comm *comm, void *caller);

/* Tells how many calls were verified on this process, and how many differed: for the end of the process. */
void verify_report(void);

#endif
