/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes typemaps. The first use of a derived type builds the tree of one element, which is then an attribute of the type. */
#ifndef PLEACH_TYPEMAP_H
#define PLEACH_TYPEMAP_H

#include "bytes.h"
#include "pmpi.h"

/* Call it once, before the other functions. Returns false if MPI has no keyval left. */
bool typemap_open(void);

/*
 * Makes the typemap of `count` >= 0 elements of a committed type, or returns NULL if memory is short. The caller frees it
 * with typemap_free(). It is valid until the type is freed.
 */
struct typemap *typemap_new(int64_t count, MPI_Datatype type);

/*
 * A number that distinguishes a type from all earlier and later types with the same handle, as MPI reuses handles. All
 * predefined types have the number TYPE_OF_MPI, because nobody can free them. The result is 0 if the type has no number yet;
 * typemap_new() gives it one, unless memory is short.
 */
uint64_t type_identity(MPI_Datatype type);
enum { TYPE_OF_MPI = 1 };

#endif
