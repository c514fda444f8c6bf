/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probe is a communicator that contains only this process. Errors on it return. Pleach uses it to check the arguments of
 * calls: such a check sends no message and calls no error handler of the application.
 */
#ifndef PLEACH_PROBE_H
#define PLEACH_PROBE_H

#include "process.h"

/*
 * Makes process.probe. Before MPI_Init, makes it from the group of `comm`, a live communicator of a session. If MPI cannot
 * make the probe, for example because no context id is left, sets process.probe to MPI_COMM_NULL and returns false. Calls no
 * error handler.
 */
bool probe_open(MPI_Comm comm);

/*
 * probe_take() returns the probe. If there is none, it calls probe_borrow(), which returns MPI_COMM_SELF. This communicator
 * has no error handler of the application until probe_give(). If MPI_COMM_SELF does not exist now, probe_borrow() returns
 * MPI_COMM_NULL, and nothing can be checked. Between probe_take() and probe_give(), do not wait for another process.
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
