/* SPDX-License-Identifier: BSD-2-Clause */
/* The contents of datatypes, from the inside out. */
#ifndef PLEACH_CONTENTS_H
#define PLEACH_CONTENTS_H

#include "pmpi.h"

#include <stdint.h>

/* The contents of a derived datatype, as its constructor took them: integers, addresses, large counts, in one array. */
struct contents {
    int combiner;
    bool large; /* made by a constructor with large counts */
    int64_t *v;
    int types;
    MPI_Datatype *type;
    const void **of;        /* the results for each of the types */
    int done;               /* how many results are known */
    MPI_Datatype self;      /* the datatype itself */
    struct contents *outer; /* the type in which it was met, or NULL */
};

/* Makes something of datatypes, such as a tree of runs. */
struct maker {
    /* The result for a type that MPI defines; and for a derived one, given those of all its types. Never NULL. */
    const void *(*named)(void *self, MPI_Datatype type);
    const void *(*derived)(void *self, const struct contents *c);
    void *self;
};

/*
 * The result for a datatype; NULL if memory is short. It takes memory for each level of nesting, but no stack: programs nest
 * types in loops. Each type has but one result, however often it is met.
 */
const void *contents_make(const struct maker *m, MPI_Datatype type);

#endif
