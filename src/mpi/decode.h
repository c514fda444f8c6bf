/* SPDX-License-Identifier: BSD-2-Clause */
/* From MPI's description of a datatype to a tree of runs. */
#ifndef PLEACH_DECODE_H
#define PLEACH_DECODE_H

#include "pmpi.h"
#include "tree.h"

/* The tree of one element of a type, in the memory of t; t has failed if that is short. */
const struct node *decode(struct typemap *t, MPI_Datatype type);

/* The extent of a type: from an element to the next. */
ptrdiff_t extent_of(MPI_Datatype type);

#endif
