/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan for a call: what must be known before `choose` can be asked. */
#ifndef PLEACH_PLAN_H
#define PLEACH_PLAN_H

#include "call.h"
#include "choose.h"
#include "comm.h"

/*
 * Collective over comm, for a valid call that choose_quick() leaves open: finds out where its ranks lie, which rule it meets
 * and, if the choice may depend on them, the machine's figures; then chooses. `caller`: return address of the intercepted
 * call.
 */
struct plan plan_call(const struct facts *f, struct comm *comm, void *caller);

#endif
