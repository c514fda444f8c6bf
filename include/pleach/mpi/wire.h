/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MPI functions that the executor calls, in a table: the library fills it with what it finds at run time, the wind
 * tunnel with those of the MPI that it simulates.
 */
#ifndef PLEACH_WIRE_H
#define PLEACH_WIRE_H

#include "abi.h"

#define WIRE(X) X(Iprobe) X(Isend) X(Issend) X(Recv) X(Reduce_local) X(Request_free) X(Sendrecv) X(Test) X(Wait)

struct wire {
#define FIELD(name) __typeof__(MPI_##name) *name;
    WIRE(FIELD)
#undef FIELD
};

#endif
