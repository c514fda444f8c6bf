/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of datatypes. */
#pragma once

#include "bytes.h"
#include "pmpi.h"

/* Of a committed type. */
struct extents type_extents(MPI_Datatype type);

/* False for types of constructors. */
bool type_is_predefined(MPI_Datatype type);

/* The predefined type of all data in a type; MPI_DATATYPE_NULL: several, none, or no memory. */
MPI_Datatype basic_of(MPI_Datatype type);
