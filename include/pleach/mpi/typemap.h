/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes typemaps. A derived type keeps the tree of an element as an attribute. */
#pragma once

#include "bytes.h"
#include "pmpi.h"

/* Call it first, and again when MPI has begun anew. Returns false if no keyval is left. */
bool typemap_open(void);

/* Asks MPI, except about usual types. */
void type_identity(MPI_Datatype type, struct identity *i);

/*
 * Makes the typemap of `count` >= 0 elements of a committed type, for typemap_free(). NULL: no memory, or a constructor
 * unknown to decode.c. *of: the type's identity, which may get its number; the typemap is valid as long as that.
 */
struct typemap *typemap_new(int64_t count, MPI_Datatype type, struct identity *of);
