/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns MPI's descriptions of types into trees. */
#pragma once

#include "pmpi.h"
#include "tree.h"

/*
 * Makes the tree of one element, in t's memory. Sets t->failed if memory is short, or for an unknown constructor. Needs no
 * stack for nesting, which may be thousands deep. A type that occurs often is made once, unless MPI gives it new handles, as
 * Open MPI does.
 */
const struct node *decode(struct typemap *t, MPI_Datatype type);

/* From one element to the next, in bytes. */
ptrdiff_t extent_of(MPI_Datatype type);
