/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes the MPI library use another algorithm for a call (engines native:NAME), by MPICH's control variables of MPI_T. Not
 * in exscans, which have one; nor in Open MPI, where such variables affect new communicators alone.
 */
#pragma once

#include "engine.h"

/*
 * Returns the algorithms to which this process can switch, as bits of algorithm_bit(): none of a variable that the user has
 * set, and none in a library that does not check whether an algorithm applies. Call it once, after pmpi_find() and MPI_Init.
 */
uint64_t algorithms_find(void);

/*
 * Between both functions, calls of the collective use the algorithm, one of algorithms_find(), unless the program has set
 * the variable since. No other thread may call MPI in between. Call algorithm_end() also at the beginning of each
 * intercepted call, as longjmp may have left one.
 *
 * If the algorithm does not apply, MPICH takes another one. MPIR_CVAR_COLLECTIVE_FALLBACK may make it print a line, here
 * only if the user has `named` the algorithm, or abort, which it never does here.
 */
void algorithm_begin(enum collective c, enum algorithm a, bool named);
void algorithm_end(void);
