/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI's own operations and datatypes, by their handles. */
#pragma once

#include "facts.h"
#include "kernels.h"
#include "pmpi.h"

/* Call it after MPI_Init, before all others here. */
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

/* How the order of evaluation affects the result. Takes nanoseconds. */
enum op_class op_class_of(MPI_Op op, MPI_Datatype type);

/* The number of an operation of MPI, the same on all ranks; 0: the program's. */
int op_own(MPI_Op op);

/* "user" for 0. */
const char *op_own_name(int number);

/* KERNEL_OPS: no kernel has it. */
enum kernel_op op_kernel(MPI_Op op);

/*
 * The kernels' name of an accepted type; KERNEL_TYPES if they lack it, as all types of constructors. *row < HANDLE_ROWS
 * differs between any two types of kernels.
 */
enum { HANDLE_ROWS = 256 };
enum kernel_type type_kernel(MPI_Datatype type, int *row);

/*
 * Has a op b the bits of b op a, for OP_ROUNDS? Sums, and real products; not complex ones, as a processor may round one
 * product of two; nor minima and maxima, as 0 equals -0. Of two NaNs, either may result.
 */
bool op_symmetric(MPI_Op op, MPI_Datatype type);
