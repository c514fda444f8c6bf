/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probe is a communicator of this process alone whose errors return. Pleach checks arguments of calls on it, as that
 * sends no message and calls no error handler of the application.
 */
#ifndef PLEACH_PROBE_H
#define PLEACH_PROBE_H

#include "process.h"

/*
 * Makes process.probe. Call it once. Before MPI_Init it uses the group of `comm`, a live communicator of a session. If that
 * fails, for example because MPI has no context id left, sets process.probe to MPI_COMM_NULL and returns false. Calls no
 * error handler.
 */
bool probe_open(MPI_Comm comm);

/*
 * probe_borrow() returns the probe. If there is none, it returns MPI_COMM_SELF, which has no error handler of the
 * application until probe_return(). If MPI_Init has not been called either, it returns MPI_COMM_NULL, and nothing can be
 * checked. Between the two functions, do not make a call that waits for another process.
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
