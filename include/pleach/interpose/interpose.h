/* SPDX-License-Identifier: BSD-2-Clause */
/* An intercepted call, from the application's arguments to its result, and the end of a process. */
#pragma once

#include "call.h"
#include "others.h"

/* Serves a call, by an engine or natively. Returns the MPI function's return value. `caller`: the call's return address. */
int intercept(const struct call *c, void *caller);

/*
 * Says at the end of an MPI program why there is no report or log, although the user asked for it: no call that Pleach
 * serves has reached this library. With PLEACH_VERBOSE, says so even if the user asked for neither. If MPI_Init has not
 * reached this library either, also says what was wrong with a setting: other ranks may have made calls. `taker`: as in
 * part.h.
 */
void tell_idle(const char *(*taker)(void));

/* Counts a call that Pleach does not serve, and that has succeeded; see others.h. */
void count_other(enum other which, bool large, const argument *arguments, double seconds);
