/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library's life in a process. It starts at the first intercepted call on a live communicator, after MPI_Init or within
 * a session, and never ends. MPI_Finalize, or the end of the process, only makes it write everything out. Callbacks of
 * attributes may still make calls, on this rank before that moment and on another after it; the library serves these as
 * before.
 */
#ifndef PLEACH_LIBRARY_H
#define PLEACH_LIBRARY_H

#include "pmpi.h"

#include <stdatomic.h>

/* The states, in order; each is entered once. The last three are final. */
enum library_state {
    LIBRARY_NEW,     /* the MPI library is not yet found */
    LIBRARY_FOUND,   /* the MPI library is found, but no call on a live communicator has come */
    LIBRARY_READY,   /* engines may serve calls */
    LIBRARY_WATCHED, /* the same, and a thread watches the calls; see watch.h */
    LIBRARY_PASS     /* we cannot serve this MPI library: it gets every call, for ever */
};

extern _Atomic int library_now; /* enum library_state; only library.c sets it */

/* The state. A call is native unless it is LIBRARY_READY or LIBRARY_WATCHED. Costs nothing: runs on every call. */
static inline enum library_state library_reached(void)
{
    return (enum library_state)atomic_load_explicit(&library_now, memory_order_acquire);
}

/*
 * Goes on from a state before LIBRARY_READY, if this call is a reason to, and returns the new state. `caller`: return
 * address of the intercepted call. The step depends only on what all ranks share: whether the communicator is alive, and
 * whether we know the MPI library.
 */
enum library_state library_start(enum library_state from, MPI_Comm comm, void *caller);

/* May an engine serve a call on this communicator? Starts the library if need be. */
bool library_ready(MPI_Comm comm, void *caller);

#endif
