/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the bytes of a message lie, and copies of any range: MPI_Pack packs whole elements, but a broadcast may be one large
 * element. A typemap is a tree as large as the type's description.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element in memory; offsets in bytes from its address. By type_extents(). */
struct extents {
    int64_t size;       /* of data */
    int64_t extent;     /* to the next one; may be negative */
    int64_t low;        /* MPI's true lower bound: where data begin */
    int64_t begin, end; /* what an operation of the program may touch */
    bool plain;         /* dense, in order: needs no typemap; type_extents() says false */
};

enum { SPAN_ALIGN = 64 }; /* bytes; the strictest alignment kept */

/* Rounds up, also below 0. */
static inline int64_t span_align(int64_t bytes)
{
    return (bytes + SPAN_ALIGN - 1) & -SPAN_ALIGN;
}

/*
 * Bytes of memory for `count` >= 1 elements, as an operation of the program may touch them; *origin: element 0 there. Both,
 * and the memory, are multiples of SPAN_ALIGN.
 */
int64_t extents_span(const struct extents *e, int64_t count, ptrdiff_t *origin);

/*
 * Types of one identity have the same elements in the same places. MPI reuses handles.
 *
 *     IDENTITY_OF_MPI    predefined, never freed: `of`
 *     IDENTITY_MADE      made by one constructor of a usual type `of` (handles.h): `combiner` and `value`
 *     any other number   a type that keeps a tree; no other type ever has this number
 */
enum { IDENTITY_NONE, IDENTITY_OF_MPI, IDENTITY_MADE, IDENTITIES };
enum { IDENTITY_VALUES = 12 };
struct identity {
    uint64_t number; /* IDENTITY_NONE: not known yet; typemap_new() numbers a type that is not new (sizes.h) */
    uintptr_t of;    /* HANDLE_BITS */
    int combiner, values;
    int64_t value[IDENTITY_VALUES]; /* numbers among the constructor's arguments */
};

/* True only if certain. */
bool identity_same(const struct identity *a, const struct identity *b);

/* Do elements lie without gaps, even for the program's operations? */
static inline bool extents_dense(const struct extents *e)
{
    return e->begin == 0 && e->end == e->size && e->extent == e->size;
}

/* Where the bytes of a message lie, in signature order: its stream. */
struct typemap;

/* Is the message one stretch of memory, in signature order? If so, sets *first to its start, in bytes from the buffer. */
bool typemap_contiguous(const struct typemap *t, ptrdiff_t *first);

/* These copy the bytes [from, from + bytes) of the stream. Only one thread at a time may use a typemap. */
void typemap_pack(const struct typemap *t, const char *buffer, int64_t from, int64_t bytes, char *packed);
void typemap_unpack(const struct typemap *t, char *buffer, int64_t from, int64_t bytes, const char *packed);
void typemap_move(const struct typemap *t, const char *source, char *target, int64_t from, int64_t bytes);

/* `t`: or NULL. */
void typemap_free(struct typemap *t);

/* `bytes` behind a buffer. From MPI_BOTTOM, pointer arithmetic in C does not allow this sum. */
static inline char *displaced(const void *buffer, ptrdiff_t bytes)
{
    return (char *)((uintptr_t)buffer + (uintptr_t)bytes);
}
