/* SPDX-License-Identifier: BSD-2-Clause */
/* What handles mean: of operations and datatypes that MPI defines, and what their bits tell, where they tell anything. */
#ifndef PLEACH_HANDLES_H
#define PLEACH_HANDLES_H

#include "facts.h"
#include "pmpi.h"

/* Makes the tables. After MPI_Init, before all others. */
void handles_open(void);

#ifdef ABI_MPICH
extern bool handles_tell_sizes; /* set by handles_open(): handles of simple types do, as in every MPICH that we know */

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

/* Is this the handle of a simple predefined datatype (no pair), as far as its bits tell? False if they never tell. */
static inline bool handle_is_simple(MPI_Datatype type)
{
    return handles_tell_sizes && handle_looks_simple(type);
}

/*
 * May MPI be asked about the handle of an object that has gone? Where handles are addresses, the library would look at
 * memory that it has freed.
 */
#ifdef ABI_MPICH
enum { handles_outlive = true };
#else
enum { handles_outlive = false };
#endif

/* May this be the handle of a communicator, as far as its bits tell? */
bool handle_is_comm(MPI_Comm comm);

/* What the order of evaluation does to an operation's result. Costs a few nanoseconds. */
enum op_class op_class_of(MPI_Op op, MPI_Datatype type);

/* A number of an operation that MPI defines, which is the same on all ranks; 0 for one of the program. */
int op_own(MPI_Op op);

/* "MPI_SUM", .., or "user", of such a number. */
const char *op_own_name(int number);

/*
 * Has a op b the same bits as b op a? So have sums, and products but of complex numbers, where a processor may round one
 * half of each part and not the other. Minima and maxima have not: 0 equals -0. Which of two NaNs comes out is left open.
 */
bool op_symmetric(MPI_Op op, MPI_Datatype type);

#endif
