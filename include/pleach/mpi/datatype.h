/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of datatypes. */
#pragma once

#include "bytes.h"
#include "pmpi.h"

/* The extents of an element of a committed type. */
struct extents type_extents(MPI_Datatype type);

/* False for types that constructors make. */
bool type_is_predefined(MPI_Datatype type);

/* The predefined type of all data in a type; MPI_DATATYPE_NULL if there are several or none, or if memory is short. */
MPI_Datatype basic_of(MPI_Datatype type);
