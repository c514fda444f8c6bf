/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of the differential test, predefined and user-defined. */
#pragma once

#include "types.h"

/* The values on which an operation gives the same result in any order of evaluation. */
enum values {
    ANY,          /* floating-point leaves get random bits */
    SUMMABLE,     /* small integers */
    MULTIPLIABLE, /* powers of two; complex numbers are powers of two times (2 + i) */
};

struct op {
    const char *name;
    MPI_Op handle;
    unsigned classes; /* the classes of types to which it applies */
    int group;        /* 32-bit leaves that a user-defined operation combines at once; 0 for single leaves of any kind */
    enum values values;
};

extern struct op *ops;
extern int n_ops;

/* Do operations write whole elements, and not their data alone? See native_calls.c. */
bool ops_whole(void);

void ops_create(void);
void ops_free(void);
bool op_applies(const struct op *op, const struct type *type);
const struct op *op_find(const char *name);

/*
 * op_expect() sets the datatype that user-defined operations must get on this thread. op_surprises() returns how often they
 * have got another datatype since then.
 */
void op_expect(MPI_Datatype type);
int op_surprises(void);
