/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library's life in a process: it starts at the first intercepted call on a communicator that is alive, after MPI_Init
 * or within a session, and never ends. What MPI_Finalize, or the end of the process, sees to is that everything is written
 * out: calls may still come, from callbacks of attributes, on this rank before that and on another after it, and are served
 * as before.
 */
#ifndef PLEACH_LIBRARY_H
#define PLEACH_LIBRARY_H

#include "pmpi.h"

#include <stdatomic.h>

/* They follow each other; each is entered once. */
enum library_state {
    LIBRARY_NEW,     /* the MPI library is not yet found */
    LIBRARY_FOUND,   /* it is, and no call has come on a communicator that is alive */
    LIBRARY_READY,   /* calls are looked at */
    LIBRARY_WATCHED, /* or that, and somebody watches them; see watch.h */
    LIBRARY_PASS     /* or the library is not ours to serve: every call goes to it, for ever */
};

extern _Atomic int library_now; /* enum library_state; only library.c sets it */

/* The state. What is neither ready nor watched makes a call native. Costs nothing: runs on every call. */
static inline enum library_state library_reached(void)
{
    return (enum library_state)atomic_load_explicit(&library_now, memory_order_acquire);
}

/*
 * Goes on from a state before LIBRARY_READY, if this call is reason to, and returns the state that is reached. `caller`:
 * return address of the intercepted call. That is decided by what all ranks share: whether there is such a communicator, and
 * whether the MPI library is one that we know.
 */
enum library_state library_start(enum library_state from, MPI_Comm comm, void *caller);

/* May a call on this communicator be looked at? Starts the library up if need be. */
bool library_ready(MPI_Comm comm, void *caller);

#endif
