/* SPDX-License-Identifier: BSD-2-Clause */
/* Typemaps. The first use of a derived type builds the tree of one element, which stays with the type as an attribute. */
#ifndef PLEACH_TYPEMAP_H
#define PLEACH_TYPEMAP_H

#include "bytes.h"
#include "pmpi.h"

/* Once, before all others. False if MPI has no keyval left. */
bool typemap_open(void);

/*
 * The typemap of `count` >= 0 elements of a committed type; NULL if memory is short. To be freed with typemap_free(). Valid
 * until the type is freed.
 */
struct typemap *typemap_new(int64_t count, MPI_Datatype type);

/*
 * A number that tells a type from all earlier and later types with the same handle: MPI reuses handles. All predefined types
 * share one number: they live for ever. 0: the type has no number yet; typemap_new() gives it one, unless memory is short.
 */
uint64_t type_identity(MPI_Datatype type);
enum { TYPE_OF_MPI = 1 }; /* the number of the predefined types */

#endif
