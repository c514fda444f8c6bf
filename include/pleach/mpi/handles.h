/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles of MPI's own operations and datatypes, and the information in the bits of handles, if there is any. */
#ifndef PLEACH_HANDLES_H
#define PLEACH_HANDLES_H

#include "facts.h"
#include "kernels.h"
#include "pmpi.h"

/* Makes the tables. After MPI_Init, before all others. */
void handles_open(void);

#ifdef ABI_MPICH
extern bool handles_tell_sizes; /* those of simple types do, in every MPICH that we know; set by handles_open() */

static inline bool handle_looks_simple(MPI_Datatype type)
{
    return (unsigned)type >> 24 == 0x4c;
}

/* Bytes in an element of a simple type. */
static inline int handle_size(MPI_Datatype type)
{
    return (unsigned)type >> 8 & 0xff;
}
#else
enum { handles_tell_sizes = false };

static inline bool handle_looks_simple(MPI_Datatype type)
{
    (void)type;
    return false;
}

static inline int handle_size(MPI_Datatype type)
{
    (void)type;
    return 0;
}
#endif

/* Do the bits show the handle of a simple predefined datatype (no pair)? False if handles do not tell. */
static inline bool handle_is_simple(MPI_Datatype type)
{
    return handles_tell_sizes && handle_looks_simple(type);
}

/*
 * May MPI get the handle of a freed object in a query? If handles are addresses, the library would read memory that it has
 * freed.
 */
#ifdef ABI_MPICH
enum { handles_outlive = true };
#else
enum { handles_outlive = false };
#endif

/* May this be the handle of a communicator, as far as its bits tell? */
bool handle_is_comm(MPI_Comm comm);

/* The class of an operation: what the order of evaluation does to its result. Costs a few nanoseconds. */
enum op_class op_class_of(MPI_Op op, MPI_Datatype type);

/* A number for MPI's own operation, the same on all ranks; 0 for an operation of the program. */
int op_own(MPI_Op op);

/* The name for such a number: "MPI_SUM", .., or "user". */
const char *op_own_name(int number);

/* What kernels call an operation; KERNEL_OPS: nothing. */
enum kernel_op op_kernel(MPI_Op op);

/*
 * What kernels call a datatype that MPI has taken in a call; KERNEL_TYPES: nothing, as for all types of constructors. *row:
 * a number below HANDLE_ROWS; of the types that kernels know, each has another.
 */
enum { HANDLE_ROWS = 256 };
enum kernel_type type_kernel(MPI_Datatype type, int *row);

/*
 * Does a op b have the same bits as b op a? True for sums and real products. False for products of complex numbers: a
 * processor may round one half of each part and not the other. False for minima and maxima: 0 equals -0. With two NaNs,
 * either may be the result.
 */
bool op_symmetric(MPI_Op op, MPI_Datatype type);

#endif
