/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns MPI's descriptions of datatypes into trees of runs. */
#pragma once

#include "pmpi.h"
#include "tree.h"

/*
 * Makes the tree of one element of a type in the memory of t, by decode_named() and decode_derived(). If memory is short,
 * or if decode.c does not know a constructor in the type, sets t->failed. Each level of nesting takes some memory, but no
 * stack, because programs may nest types thousands of levels deep in a loop. If a type occurs several times, its tree is
 * made once, unless MPI gives it a new handle each time, as Open MPI does.
 */
const struct node *decode(struct typemap *t, MPI_Datatype type);

/* The bytes from one element of a type to the next. */
ptrdiff_t extent_of(MPI_Datatype type);
