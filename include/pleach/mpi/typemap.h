/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes typemaps. A derived type keeps the tree of an element as an attribute. */
#pragma once

#include "bytes.h"
#include "pmpi.h"

/* First, and when MPI has begun anew. False: no keyval left. */
bool typemap_open(void);

/* Asks MPI, except about usual types. */
void type_identity(MPI_Datatype type, struct identity *i);

/*
 * Of count >= 0 elements of a committed type. NULL: no memory, or a constructor unknown to decode.c. *of: its identity,
 * which may get its number. Valid as long as that; typemap_free() frees.
 */
struct typemap *typemap_new(int64_t count, MPI_Datatype type, struct identity *of);
