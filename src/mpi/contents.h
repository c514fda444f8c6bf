/* SPDX-License-Identifier: BSD-2-Clause */
/* The contents of nested datatypes, from the inside out. */
#pragma once

#include "bytes.h"
#include "pmpi.h"
#include "tree.h"

#include <stdint.h>

/* The arguments of a type's constructor. `v`: integers, then addresses, then large counts. */
struct contents {
    int combiner;
    bool large; /* by a constructor with large counts */
    int64_t *v;
    int types;
    MPI_Datatype *type;
    const struct node **of;
    int done; /* known trees in `of` */
    MPI_Datatype self;
    struct contents *outer; /* of the type around; or NULL */
};

/* Numbers of arguments. `counts`: 0 before MPI 4. */
struct envelope {
    MPI_Count ints, aints, counts, types;
    int combiner;
};
struct envelope envelope_of(MPI_Datatype type);

bool combiner_is_predefined(int combiner);

/* Is it an unnamed predefined pair, as of MPI_Type_get_value_index()? Sets the types of value and index. */
bool contents_of_pair(MPI_Datatype type, MPI_Datatype part[2]);

/* Has one constructor made it of a usual type, with few arguments (IDENTITY_MADE)? Sets its identity. */
bool contents_of_made(MPI_Datatype type, const struct envelope *e, struct identity *i);

/* decode.c: trees of a predefined type, and of a derived one from those in it. Never NULL. */
const struct node *decode_named(struct typemap *t, MPI_Datatype type);
const struct node *decode_derived(struct typemap *t, const struct contents *c);
