/* SPDX-License-Identifier: BSD-2-Clause */
/* Goes through the contents of nested datatypes from the inside out. */
#ifndef PLEACH_CONTENTS_H
#define PLEACH_CONTENTS_H

#include "pmpi.h"

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
    const void **of;        /* the result for each of the types */
    int done;               /* number of results in `of` that are known */
    MPI_Datatype self;      /* the datatype itself */
    struct contents *outer; /* the contents of the type around this one; NULL if this is the outermost */
};

/* Functions that make a result, such as a tree of runs, from a datatype. They get `self`. They never return NULL. */
struct maker {
    /*
     * named() makes the result for a predefined type. derived() makes the result for a derived type, from the results for
     * all types that it contains.
     */
    const void *(*named)(void *self, MPI_Datatype type);
    const void *(*derived)(void *self, const struct contents *c);
    void *self;
};

/*
 * Makes the result for a datatype. Returns NULL if memory is short. Each level of nesting takes some memory, but no stack,
 * because programs may nest types thousands of levels deep in a loop. If a type occurs several times, its result is made
 * once, unless MPI gives it a new handle each time, as Open MPI does.
 */
const void *contents_make(const struct maker *m, MPI_Datatype type);

/*
 * Is this an unnamed predefined type of pairs (value, index), as MPI_Type_get_value_index() may return? If so, sets `part`
 * to the types of value and index.
 */
bool contents_of_pair(MPI_Datatype type, MPI_Datatype part[2]);

#endif
