/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self communicator has this process alone, and its errors return. So arguments are checked without a message and
 * without the application's error handler. process.self_comm holds it.
 */
#pragma once

#include "process.h"

/*
 * Makes process.self_comm; before MPI_Init, from the group of `comm`, a session's communicator. If MPI cannot make it, for
 * example for lack of context ids, sets it to MPI_COMM_NULL and returns false. Calls no error handler.
 */
bool self_comm_open(MPI_Comm comm);

/*
 * If there is no self communicator, self_comm_get() borrows MPI_COMM_SELF, which then lacks the application's error handler
 * until self_comm_give(). It returns MPI_COMM_NULL if that does not exist, either. Wait for no other process in between.
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

/* Does MPI accept the buffer? Asks by a broadcast on the self communicator that moves no data. Calls no error handler. */
bool self_comm_accepts(MPI_Comm self, const void *buffer, int64_t count, MPI_Datatype type);

/* The same, for a caller that has not taken the self communicator. */
bool buffer_valid(const void *buffer, int64_t count, MPI_Datatype type);
