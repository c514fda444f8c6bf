/* SPDX-License-Identifier: BSD-2-Clause */
/* A communicator of this process alone, whose errors return: checks arguments without messages or error handlers. */
#pragma once

#include "process.h"

/*
 * Before MPI_Init, makes it from the group of `comm`, a session's. Sets process.self_comm; MPI_COMM_NULL and false if MPI
 * cannot make it, as without context ids. Calls no error handler.
 */
bool self_comm_open(MPI_Comm comm);

/*
 * Without a self communicator, get() borrows MPI_COMM_SELF, without the application's error handler until give();
 * MPI_COMM_NULL if that does not exist. Wait for no other process in between.
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

/* By a broadcast that moves no data. Calls no error handler. */
bool self_comm_accepts(MPI_Comm self, const void *buffer, int64_t count, MPI_Datatype type);

/* For a caller without the self communicator. */
bool buffer_valid(const void *buffer, int64_t count, MPI_Datatype type);
