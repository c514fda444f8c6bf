/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI's own operations and datatypes, by their handles. */
#pragma once

#include "facts.h"
#include "kernels.h"
#include "pmpi.h"

/* Makes the tables. Call it after MPI_Init, before the other functions here. */
void handles_open(void);

#ifdef ABI_MPICH
extern bool handles_tell_sizes; /* handles of simple types contain their sizes, as in every known MPICH */

static inline bool handle_looks_simple(MPI_Datatype type)
{
    return (unsigned)type >> 24 == 0x4c;
}

/* In bytes, of a simple type. */
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

/* Is it a simple predefined type (no pair), by its bits? False if handles contain no sizes. */
static inline bool handle_is_simple(MPI_Datatype type)
{
    return handles_tell_sizes && handle_looks_simple(type);
}

/* Is it a usual datatype of MPI, which is never freed? */
bool handle_is_of_mpi(MPI_Datatype type);

/* May MPI be asked about freed handles? Not if they are addresses. */
#ifdef ABI_MPICH
enum { handles_outlive = true };
#else
enum { handles_outlive = false };
#endif

/* Can it be a communicator, by its bits? */
bool handle_is_comm(MPI_Comm comm);

/* The class of an operation: how the order of evaluation affects the result. Takes nanoseconds. */
enum op_class op_class_of(MPI_Op op, MPI_Datatype type);

/* The number of an operation of MPI, the same on all ranks; 0 for the program's. */
int op_own(MPI_Op op);

/* Its name by this number; "user" for 0. */
const char *op_own_name(int number);

/* KERNEL_OPS if kernels lack it. */
enum kernel_op op_kernel(MPI_Op op);

/*
 * The kernels' name for a type that MPI has accepted; KERNEL_TYPES if kernels lack it, as they lack all types of
 * constructors. *row < HANDLE_ROWS differs between any two types of kernels.
 */
enum { HANDLE_ROWS = 256 };
enum kernel_type type_kernel(MPI_Datatype type, int *row);

/*
 * Has a op b the bits of b op a, for OP_ROUNDS? True for sums and real products; not for complex ones, as a processor may
 * round one product of two; nor minima and maxima, as 0 equals -0. Of two NaNs, either may result.
 */
bool op_symmetric(MPI_Op op, MPI_Datatype type);
