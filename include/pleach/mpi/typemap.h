/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes typemaps. The tree of one element of a derived type is an attribute of the type. */
#pragma once

#include "bytes.h"
#include "pmpi.h"

/* Call it before the other functions, and again whenever MPI has begun anew. Returns false if MPI has no keyval left. */
bool typemap_open(void);

/*
 * Makes the typemap of `count` >= 0 elements of a committed type, or returns NULL if memory is short, or if decode.c does
 * not know a constructor in the type. The typemap is valid until the type is freed. The caller calls typemap_free().
 */
struct typemap *typemap_new(int64_t count, MPI_Datatype type);

/*
 * A number that distinguishes a type from all earlier and later types with the same handle, as MPI reuses handles. All
 * predefined types have the number 1, because nobody can free them. The result is 0 if the type has no number yet;
 * typemap_new() tries to give it one, unless the type is new (sizes.h).
 */
uint64_t type_identity(MPI_Datatype type);
