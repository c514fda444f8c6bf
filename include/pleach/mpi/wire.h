/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI's functions for the executor, found by the library or, in the wind tunnel, those of the simulated MPI. */
#pragma once

#include "abi.h"

#define WIRE(X) X(Iprobe) X(Isend) X(Issend) X(Recv) X(Reduce_local) X(Request_free) X(Sendrecv) X(Test) X(Wait)

struct wire {
#define FIELD(name) __typeof__(MPI_##name) *name;
    WIRE(FIELD)
#undef FIELD
};

/*
 * A Sendrecv with a synchronous send. The receive blocks: MPICH's MPI_Wait could pass a truncated message to
 * MPI_COMM_WORLD's error handler.
 */
static inline int wire_meet(const struct wire *mpi, const void *out, int out_count, MPI_Datatype out_type, int to,
                            int out_tag, void *in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                            MPI_Status *status)
{
    MPI_Request send;
    int error = mpi->Issend(out, out_count, out_type, to, out_tag, comm, &send);
    if (error == MPI_SUCCESS)
        error = mpi->Recv(in, in_count, in_type, from, in_tag, comm, status);
    if (error == MPI_SUCCESS)
        error = mpi->Wait(&send, MPI_STATUS_IGNORE);
    return error;
}
