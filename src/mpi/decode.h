/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns MPI's descriptions of datatypes into trees of runs. */
#ifndef PLEACH_DECODE_H
#define PLEACH_DECODE_H

#include "pmpi.h"
#include "tree.h"

/* The tree of one element of a type, in the memory of t; if that is short, t has failed. */
const struct node *decode(struct typemap *t, MPI_Datatype type);

/* The extent of a type: from an element to the next. */
ptrdiff_t extent_of(MPI_Datatype type);

#endif
