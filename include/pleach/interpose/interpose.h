/* SPDX-License-Identifier: BSD-2-Clause */
/* Intercepted calls, and the end of a process. */
#pragma once

#include "call.h"
#include "others.h"

/* Serves a call, and returns the MPI function's value. `caller`: return address. */
int intercept(const struct call *c, void *caller);

/*
 * Says at the end why there is no report or log, if asked for, or with PLEACH_VERBOSE: no call has come. Without MPI_Init,
 * also what was wrong with a setting. `taker`: as in part.h.
 */
void tell_idle(const char *(*taker)(void));

/* Counts a call that Pleach does not serve and that has succeeded; see others.h. */
void count_other(enum other which, bool large, const argument *arguments, double seconds);
