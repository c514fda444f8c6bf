/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library's life in a process. MPI_Init reads settings, opens libraries and makes objects of MPI, as threads may have
 * little stack. The first call on a live communicator opens log and report. It does all if MPI_Init has gone past us, or in
 * a session. At the end, the library only writes its output: callbacks may make calls before that on one rank and after it
 * on another.
 *
 * MPI ends with MPI_Finalize, or with its last session. It may begin anew, with other objects under the same handles. So the
 * library forgets what belonged to the old one. Settings, log and report go on.
 */
#pragma once

#include "pmpi.h"

#include <stdatomic.h>

/* In order. When MPI ends or begins anew, READY and WATCHED go back to FOUND. */
enum library_state {
    LIBRARY_FOUND,  /* no MPI, or only sessions without a call */
    LIBRARY_BEGUN,  /* no call on a live communicator yet */
    LIBRARY_READY,  /* engines may serve */
    LIBRARY_WATCHED /* engines may serve, and a thread watches; see watch.h */
};

extern _Atomic int library_now; /* enum library_state; library.c sets it */

/* Engines serve in READY and WATCHED alone. Cheap: every call asks. */
static inline enum library_state library_reached(void)
{
    return (enum library_state)atomic_load_explicit(&library_now, memory_order_acquire);
}

/*
 * Leaves the state `from` if it is before READY, and if this call is a reason. Returns the new state. Whether engines may
 * then serve depends only on what all ranks share: is the communicator alive?
 */
enum library_state library_start(enum library_state from, MPI_Comm comm);

/* MPI_Init has come, or a session. Does what can be done before a call. */
void library_initialized(void);

enum library_state library_furthest(void);

/*
 * A session opens (1) or closes (-1). Call it before MPI does so; if MPI refuses, call it once more with the other number.
 */
void library_sessions(int more);

/* Does what library_start() does, if not done. May engines serve now? */
bool library_ready(MPI_Comm comm);
