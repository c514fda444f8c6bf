/* SPDX-License-Identifier: BSD-2-Clause */
/* The datatypes of the differential test, each with the map of its data bytes. */
#pragma once

#include "large.h"
#include <stdbool.h>
#include <stddef.h>

/* The operations that a type allows. */
enum class {
    INTEGER = 1,
    FLOATING = 2,
    COMPLEX = 4,
    LOGICAL = 8,
    BYTE = 16,
    PAIR = 32,
    OTHER = 64, /* user-defined operations only */
    SENT = 128, /* broadcast only */
};

/* The kinds of leaves; a type is a list of leaves. */
enum kind { I8, I16, I32, I64, F32, F64, F80 };

struct kind_size {
    size_t size;
    size_t significant; /* a long double has bytes that no arithmetic defines */
};
extern const struct kind_size kinds[];

struct leaf {
    ptrdiff_t offset; /* from the buffer's address, may be negative */
    enum kind kind;
};

struct type {
    const char *name;
    MPI_Datatype handle;
    enum class class;
    bool derived;
    int most;   /* the most elements of a message, or 0 for any number */
    bool words; /* all leaves are 32-bit integers, which user-defined operations can calculate with */
    MPI_Aint extent, true_lb, true_extent;
    MPI_Aint begin, end; /* what an operation writes, from the element's address; both 0: the data alone */
    int leaves;
    struct leaf *leaf;
};

extern struct type *types;
extern int n_types;

void types_create(void);
void types_free(void);

/* Describes a type made during the test. `words` is true if all its basic types are MPI_UINT32_T. */
struct type type_describe(const char *name, MPI_Datatype handle, enum class class, bool words);
const struct type *type_find(const char *name);
const struct type *type_of_handle(MPI_Datatype handle);

/* Tells user-defined operations of a type that is in no table, such as one with absolute addresses. */
void type_announce(const struct type *extra);
