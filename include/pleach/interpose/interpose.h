/* SPDX-License-Identifier: BSD-2-Clause */
/* An intercepted call, from the application's arguments to its result. */
#ifndef PLEACH_INTERPOSE_H
#define PLEACH_INTERPOSE_H

#include "call.h"

/* Serves a call, by an engine or natively; returns what the MPI function shall return. `caller`: its return address. */
int intercept(const struct call *c, void *caller);

#endif
