/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of MPI's own operations and datatypes, by their handles. In MPICH, bits of handles contain some of these. */
#pragma once

#include "facts.h"
#include "kernels.h"
#include "pmpi.h"

/* Makes the tables. Call it after MPI_Init and before all other functions here. */
void handles_open(void);

#ifdef ABI_MPICH
extern bool handles_tell_sizes; /* do handles of simple types contain their sizes? True in every MPICH that we know */

static inline bool handle_looks_simple(MPI_Datatype type)
{
    return (unsigned)type >> 24 == 0x4c;
}

/* Returns the bytes in an element of a simple type. */
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

/* Do the bits of this handle say that it is a simple predefined datatype (no pair)? False if handles contain no sizes. */
static inline bool handle_is_simple(MPI_Datatype type)
{
    return handles_tell_sizes && handle_looks_simple(type);
}

/* Is it the handle of one of MPI's usual datatypes, which are never freed? */
bool handle_is_of_mpi(MPI_Datatype type);

/*
 * May Pleach ask MPI about the handle of an object that the program has freed? Not if handles are addresses: then the
 * library would read memory that it has freed.
 */
#ifdef ABI_MPICH
enum { handles_outlive = true };
#else
enum { handles_outlive = false };
#endif

/* Do the bits of this handle allow it to be a communicator? */
bool handle_is_comm(MPI_Comm comm);

/* The class of an operation, which says how the order of evaluation affects the result. Takes a few nanoseconds. */
enum op_class op_class_of(MPI_Op op, MPI_Datatype type);

/* The number of an operation of MPI, the same on all ranks; 0 for an operation of the program. */
int op_own(MPI_Op op);

/* The name of the operation with such a number: "MPI_SUM", .., or "user" for 0. */
const char *op_own_name(int number);

/* The kernels' name for an operation of MPI; KERNEL_OPS if no kernel has it. */
enum kernel_op op_kernel(MPI_Op op);

/*
 * The kernels' name for a datatype, which MPI must have accepted in a call. It is KERNEL_TYPES if no kernel has the type, as
 * for all types that constructors make. Sets *row to a number below HANDLE_ROWS, which differs between any two types that
 * kernels have.
 */
enum { HANDLE_ROWS = 256 };
enum kernel_type type_kernel(MPI_Datatype type, int *row);

/*
 * Does a op b have the same bits as b op a? Asked only about operations of the class OP_ROUNDS. True for sums, and for
 * products of real numbers. False for products of complex numbers, because a processor may round one product in each part of
 * the result but not the other. False for minima and maxima, because 0 equals -0. Two NaNs are an exception: the result may
 * be either of them.
 */
bool op_symmetric(MPI_Op op, MPI_Datatype type);
