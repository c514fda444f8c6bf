/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes typemaps. The tree of one element of a derived type is an attribute of the type. */
#pragma once

#include "bytes.h"
#include "pmpi.h"

/* Call it before the other functions, and again whenever MPI has begun anew. Returns false if MPI has no keyval left. */
bool typemap_open(void);

/* Asks MPI, unless the type is a usual one. */
void type_identity(MPI_Datatype type, struct identity *i);

/*
 * Makes the typemap of `count` >= 0 elements of a committed type, or returns NULL if memory is short, or if decode.c does
 * not know a constructor in the type. *of is the type's identity, and gets its number if it was IDENTITY_NONE. The typemap
 * is valid as long as the identity. The caller calls typemap_free().
 */
struct typemap *typemap_new(int64_t count, MPI_Datatype type, struct identity *of);
