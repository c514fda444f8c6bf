/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self communicator contains only this process. Errors on it return. Pleach uses it to check the arguments of calls:
 * such a check sends no message and calls no error handler of the application.
 */
#pragma once

#include "process.h"

/*
 * Makes process.self_comm. Before MPI_Init, makes it from the group of `comm`, a live communicator of a session. If MPI
 * cannot make it, for example because no context id is left, sets process.self_comm to MPI_COMM_NULL and returns false.
 * Calls no error handler.
 */
bool self_comm_open(MPI_Comm comm);

/*
 * self_comm_get() returns the self communicator. If there is none, it calls self_comm_borrow(), which returns
 * MPI_COMM_SELF. MPI_COMM_SELF then has no error handler of the application until self_comm_give(). If MPI_COMM_SELF does
 * not exist now, self_comm_borrow() returns MPI_COMM_NULL, and nothing can be checked. Between self_comm_get() and
 * self_comm_give(), do not wait for another process.
 */
MPI_Comm self_comm_borrow(void);
void self_comm_return(void);

static inline MPI_Comm self_comm_get(void)
{
    return process.self_comm != MPI_COMM_NULL ? process.self_comm : self_comm_borrow();
}

static inline void self_comm_give(void)
{
    if (process.self_comm == MPI_COMM_NULL)
        self_comm_return();
}

/*
 * Does MPI accept the buffer? Asks by a broadcast on the self communicator, which moves no data. Calls no error handler.
 */
bool self_comm_accepts(MPI_Comm self, const void *buffer, int64_t count, MPI_Datatype type);

/* The same, for a caller that has not taken the self communicator. */
bool buffer_valid(const void *buffer, int64_t count, MPI_Datatype type);
