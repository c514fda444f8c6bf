/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes the MPI library use another of its algorithms for a call (engines native:NAME). MPICH can do that: it has a control
 * variable of MPI_T for each collective, whose description lists the algorithms. Exscans are left out, as they have one
 * algorithm. A change takes effect at the next call. In Open MPI, a change of such a variable affects new communicators
 * alone, so Pleach leaves the variables as they are.
 */
#pragma once

#include "engine.h"

/*
 * Finds the algorithms to which this process can switch, as bits of algorithm_bit(). A variable that does not have its
 * default value belongs to the user: none of its algorithms is in the set. A library that does not check whether an
 * algorithm applies to a call has none. Call it once, after pmpi_find(), when MPI has been initialized.
 */
uint64_t algorithms_find(void);

/*
 * If the program has set the collective's variable since algorithms_find(), its choice holds, and nothing changes. Else the
 * calls of this collective between algorithm_begin() and algorithm_end() use the algorithm, which is in the set of
 * algorithms_find(). No other thread may call MPI in between. algorithm_end() restores the variables. If longjmp or an
 * exception leaves the call, nobody calls algorithm_end(); so call it at the beginning of each intercepted call, too. It
 * does nothing if there is nothing to restore.
 *
 * If the algorithm does not apply to a call, MPICH takes another one. The user may want MPICH to print a line then, or to
 * abort the program (MPIR_CVAR_COLLECTIVE_FALLBACK). It prints the line only if the user has named the algorithm (`named`),
 * and it never aborts: Pleach has made the switch, not the program.
 */
void algorithm_begin(enum collective c, enum algorithm a, bool named);
void algorithm_end(void);
