/* SPDX-License-Identifier: BSD-2-Clause */
/* Typemaps. The tree of one element is built at the first use of a derived type and stays with the type as an attribute. */
#ifndef PLEACH_TYPEMAP_H
#define PLEACH_TYPEMAP_H

#include "bytes.h"
#include "pmpi.h"

/* Once, before all others. False if MPI has no keyval left. */
bool typemap_open(void);

/*
 * The typemap of `count` >= 0 elements of a committed type; NULL if memory is short. To be freed with typemap_free(). It
 * may be used as long as the type has not been freed.
 */
struct typemap *typemap_new(int64_t count, MPI_Datatype type);

/*
 * A number that tells a type from all others that have had, or will have, the same handle: MPI uses handles again. The same
 * for all types that MPI defines, which live for ever. 0: none is known yet; typemap_new() gives one, unless memory is
 * short.
 */
uint64_t type_identity(MPI_Datatype type);

#endif
