/* SPDX-License-Identifier: BSD-2-Clause */
/* What handles of MPICH's kin mean. */
#ifndef PLEACH_HANDLES_H
#define PLEACH_HANDLES_H

#include "facts.h"
#include "pmpi.h"

/* Finds out whether handles tell sizes, as they do in every MPICH that we know. After MPI_Init, before all others. */
void handles_open(void);

/* Is this the handle of a simple type that MPI defines, as far as its bits tell? False if they never tell. */
bool handle_is_simple(MPI_Datatype type);

/* May this be the handle of a communicator, as far as its bits tell? */
bool handle_is_comm(MPI_Comm comm);

/*
 * Bytes of data in an element; false for what is no committed datatype. MPICH's handles of its own simple types tell their
 * size. That some of those are none is found out before an engine may serve. `probe`: a communicator whose errors return.
 */
bool type_size(MPI_Datatype type, MPI_Comm probe, int64_t *size);

/* What the order of evaluation does to an operation's result. Costs a few nanoseconds. */
enum op_class op_class_of(MPI_Op op, MPI_Datatype type);

/* "MPI_SUM", .., or "user". */
const char *op_name(MPI_Op op);

#endif
