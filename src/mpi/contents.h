/* SPDX-License-Identifier: BSD-2-Clause */
/* Goes through the contents of nested datatypes from the inside out. */
#pragma once

#include "bytes.h"
#include "pmpi.h"
#include "tree.h"

#include <stdint.h>

/*
 * The contents of a derived datatype: the arguments of its constructor. `v` has the integers, then the addresses, then the
 * large counts.
 */
struct contents {
    int combiner;
    bool large; /* made by a constructor with large counts */
    int64_t *v;
    int types;
    MPI_Datatype *type;
    const struct node **of; /* the tree of each of the types */
    int done;               /* number of trees in `of` that are known */
    MPI_Datatype self;      /* the datatype itself */
    struct contents *outer; /* the contents of the type around this one; NULL if this is the outermost */
};

/*
 * The numbers of arguments in a datatype's contents, and its combiner. `counts` is 0 before MPI 4, which introduced large
 * counts.
 */
struct envelope {
    MPI_Count ints, aints, counts, types;
    int combiner;
};
struct envelope envelope_of(MPI_Datatype type);

/* Is a type with this combiner predefined? */
bool combiner_is_predefined(int combiner);

/*
 * Is this an unnamed predefined type of pairs (value, index), as MPI_Type_get_value_index() may return? If so, sets `part`
 * to the types of value and index.
 */
bool contents_of_pair(MPI_Datatype type, MPI_Datatype part[2]);

/* Has one constructor made the type of a usual one, by few arguments (IDENTITY_MADE)? If so, sets its identity. */
bool contents_of_made(MPI_Datatype type, const struct envelope *e, struct identity *i);

/* decode.c: the tree of a predefined type, and of a derived one from the trees of all types that it contains; never NULL. */
const struct node *decode_named(struct typemap *t, MPI_Datatype type);
const struct node *decode_derived(struct typemap *t, const struct contents *c);
