/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes the MPI library use another of its algorithms for a call (engines native:NAME), by a control variable of MPI_T for
 * each collective, which lists the names. In MPICH a change takes effect at the next call. In Open MPI each communicator
 * keeps the value of its beginning, so a communicator is made to carry an algorithm: a carrier.
 */
#pragma once

#include "engine.h"
#include "pmpi.h"

/*
 * Finds the algorithms to which this process can switch. A variable that does not have its default value belongs to the
 * user: none of its algorithms is in the set. A library that does not check whether an algorithm applies to a call has none.
 * Asks the library once, then gives the same answer. MPI has been initialized, and no other thread may call MPI.
 */
struct algorithms algorithms_find(void);

/* Does it take long to ask this library, like a tenth of a second? */
bool algorithms_slow(void);

/*
 * Collective over `like`, which has the error handler MPI_ERRORS_RETURN. Makes a communicator of the same ranks on which all
 * collectives that have the algorithm use it. Returns an error of MPI. Variables are set meanwhile, for the whole process.
 */
int algorithm_carrier(MPI_Comm like, enum algorithm a, MPI_Comm *carrier);

/*
 * Between both functions, calls of the collective use the algorithm, one of algorithms_find(), unless the program has set
 * the variable since. No other thread may call MPI in between. Call algorithm_end() also at the beginning of each
 * intercepted call, as longjmp may have left one. Neither does anything if communicators carry algorithms.
 *
 * If the algorithm does not apply, MPICH takes another one. MPIR_CVAR_COLLECTIVE_FALLBACK may make it print a line, here
 * only if the user has `named` the algorithm, or abort, which it never does here.
 */
void algorithm_begin(enum collective c, enum algorithm a, bool named);
void algorithm_end(void);
