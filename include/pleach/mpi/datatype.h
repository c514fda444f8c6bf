/* SPDX-License-Identifier: BSD-2-Clause */
/* What MPI tells of a datatype. */
#ifndef PLEACH_DATATYPE_H
#define PLEACH_DATATYPE_H

#include "bytes.h"
#include "pmpi.h"

/* An element of a committed type in memory. */
struct extents type_extents(MPI_Datatype type);

/* Is the type one that MPI defines, and not made by a constructor? */
bool type_is_predefined(MPI_Datatype type);

/* The type MPI defines that all data of a type are; MPI_DATATYPE_NULL if there are several, or memory is short. */
MPI_Datatype basic_of(MPI_Datatype type);

#endif
