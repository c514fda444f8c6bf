/* SPDX-License-Identifier: BSD-2-Clause */
/* What datatypes are made of, from the inside out. */
#ifndef PLEACH_CONTENTS_H
#define PLEACH_CONTENTS_H

#include "pmpi.h"

#include <stdint.h>

/*
 * The contents of a derived datatype: integers, then addresses, then large counts, in one array, as its constructor took
 * them.
 */
struct contents {
    int combiner;
    bool large; /* made by a constructor with large counts */
    int64_t *v;
    int types;
    MPI_Datatype *type;
    const void **of;        /* what was made of each of the types */
    int done;               /* of how many that is known */
    MPI_Datatype self;      /* the datatype itself */
    struct contents *outer; /* of the type inside which it was met, or NULL */
};

/* What is to be made of datatypes, such as a tree of runs. */
struct maker {
    /* Of one that MPI defines; and of a derived one, when something was made of all its types. Never NULL. */
    const void *(*named)(void *self, MPI_Datatype type);
    const void *(*derived)(void *self, const struct contents *c);
    void *self;
};

/*
 * What is made of a datatype; NULL if memory is short. It takes memory for each level of nesting, but no stack: programs
 * make one type out of another in loops. Something is made but once of each type, however often it is met.
 */
const void *contents_make(const struct maker *m, MPI_Datatype type);

#endif
