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

/*
 * May a call on this communicator be looked at? Starts the library up if it is the first. `caller`: return address of the
 * intercepted call. False: the call is native. That is decided by what all ranks share: whether there is such a
 * communicator, and whether the MPI library is one that we know.
 */
bool library_ready(MPI_Comm comm, void *caller);

#endif
