/* SPDX-License-Identifier: BSD-2-Clause */
/* An intercepted call, from the application's arguments to its result. */
#pragma once

#include "call.h"

/* Serves a call, by an engine or natively. Returns the MPI function's return value. `caller`: the call's return address. */
int intercept(const struct call *c, void *caller);
