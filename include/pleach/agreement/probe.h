/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probe: a communicator of this process alone whose errors return. Arguments are checked on it: this sends nothing and
 * calls no error handler of the application.
 */
#ifndef PLEACH_PROBE_H
#define PLEACH_PROBE_H

#include "process.h"

/*
 * Makes process.probe, once. Before MPI_Init it uses the group of `comm`, a live communicator of a session. False if MPI
 * lacks a context id, or anything else, for it; then process.probe is MPI_COMM_NULL. Calls no error handler.
 */
bool probe_open(MPI_Comm comm);

/*
 * The probe or, without one, MPI_COMM_SELF, which loses its error handler until probe_give(). MPI_COMM_NULL: MPI_Init has
 * not been called either, and nothing can be checked. Never keep it across a call that waits for another process.
 */
MPI_Comm probe_borrow(void);
void probe_return(void);

static inline MPI_Comm probe_take(void)
{
    return process.probe != MPI_COMM_NULL ? process.probe : probe_borrow();
}

static inline void probe_give(void)
{
    if (process.probe == MPI_COMM_NULL)
        probe_return();
}

#endif
