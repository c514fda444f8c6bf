/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library's life in a process. In MPI_Init it reads the settings, opens libraries and makes objects of MPI, as threads
 * may have little stack later. The first intercepted call on a live communicator opens the log and the report, so that a
 * program without such a call has neither. If MPI_Init has gone past us, or within a session, this call does both. The
 * library does not end before MPI. In MPI_Finalize, or at the end of the process, it only writes its output.
 * Callbacks of attributes may still make calls then: one and the same call may come before the output on this rank, and
 * after the output on another. So the library serves such calls as before.
 *
 * MPI ends when the last session is closed, unless MPI_Finalize is still to come; else it ends with MPI_Finalize. A later
 * session begins MPI anew, and so does MPI_Init after sessions. All handles are invalid then, and new objects get the same
 * handles. So the library forgets what belongs to the MPI that has ended, and starts again at the next call. Settings, log
 * and report go on.
 */
#pragma once

#include "pmpi.h"

#include <stdatomic.h>

/*
 * The states, in order. When MPI ends or begins anew, a process goes back from LIBRARY_READY or LIBRARY_WATCHED to
 * LIBRARY_FOUND.
 */
enum library_state {
    LIBRARY_FOUND,   /* MPI does not run, or only sessions of it do, without a call */
    LIBRARY_BEGUN,   /* Pleach could serve, but no call on a live communicator has come */
    LIBRARY_READY,   /* engines may serve calls */
    LIBRARY_WATCHED  /* engines may serve calls, and a thread watches them; see watch.h */
};

extern _Atomic int library_now; /* enum library_state; only library.c sets it */

/* The state. A call is native unless the state is LIBRARY_READY or LIBRARY_WATCHED. Every call asks, so this is cheap. */
static inline enum library_state library_reached(void)
{
    return (enum library_state)atomic_load_explicit(&library_now, memory_order_acquire);
}

/*
 * Leaves the state `from` if it comes before LIBRARY_READY and this call is a reason to leave it. Returns the new state.
 * Whether engines may serve in the new state depends only on a fact that all ranks share: is the communicator alive?
 */
enum library_state library_start(enum library_state from, MPI_Comm comm);

/* The program has initialized MPI or opened a session. Does what can be done before a call. */
void library_initialized(void);

/* The furthest state that this process has come to so far. */
enum library_state library_furthest(void);

/*
 * The program opens a session (`more` is 1) or closes one (-1). Call it before MPI does so. If MPI then refuses, call it
 * once more, with the other number.
 */
void library_sessions(int more);

/* Starts the library, as library_start() does, if this has not been done. Returns true if engines may serve calls now. */
bool library_ready(MPI_Comm comm);
