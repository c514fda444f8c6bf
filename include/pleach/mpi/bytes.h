/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bytes of a message in memory: how far its elements reach, and copies of any range. This file does not need mpi.h.
 *
 * MPI_Pack packs only whole elements. But a broadcast may consist of one large element of a derived type, as all broadcasts
 * of ScaLAPACK do. Such a broadcast has to be cut inside the element. A typemap is a tree that is as large as the
 * description of the type: an MPI_Type_vector is one node, however many blocks it has. Finding a position in the stream of
 * bytes takes O(depth of the tree + log of the lengths of the lists on the way) steps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element of a datatype in memory. Offsets count in bytes from the element's address. type_extents() gets it from MPI. */
struct extents {
    int64_t size;       /* of data */
    int64_t extent;     /* from one element to the next; may be negative */
    int64_t low;        /* true lower bound of MPI: where the data begin */
    int64_t begin, end; /* the memory that an operation of the program may read and write; more than the data */
    bool plain;         /* dense elements, their data in order: the type needs no typemap; type_extents() says false */
};

enum { SPAN_ALIGN = 64 }; /* bytes: the strictest alignment of an element that we keep */

/* Rounds up to a multiple of SPAN_ALIGN, also below 0. */
static inline int64_t span_align(int64_t bytes)
{
    return (bytes + SPAN_ALIGN - 1) & -SPAN_ALIGN;
}

/*
 * The bytes of memory for `count` >= 1 elements, as an operation of the program may touch them. Sets *origin to the position
 * of element 0 there. Both are multiples of SPAN_ALIGN, by which the memory must be aligned, too.
 */
int64_t extents_span(const struct extents *e, int64_t count, ptrdiff_t *origin);

/*
 * Types with the same identity have the same elements in the same places. A handle is no identity, as MPI reuses it.
 *
 *     IDENTITY_OF_MPI    a predefined type, which nobody can free: `of`
 *     IDENTITY_MADE      what one constructor has made of the usual type `of` (handles.h): `combiner` and `value`
 *     any other number   a type that keeps a tree; no other type ever has this number
 */
enum { IDENTITY_NONE, IDENTITY_OF_MPI, IDENTITY_MADE, IDENTITIES };
enum { IDENTITY_VALUES = 12 };
struct identity {
    uint64_t number; /* IDENTITY_NONE: not known yet; typemap_new() tries to give the type one, unless it is new (sizes.h) */
    uintptr_t of;    /* as HANDLE_BITS */
    int combiner, values;
    int64_t value[IDENTITY_VALUES]; /* the numbers among the constructor's arguments */
};

/* Is it certain that both are the same? */
bool identity_same(const struct identity *a, const struct identity *b);

/* Do elements follow each other without gaps, and may an operation touch their data alone? */
static inline bool extents_dense(const struct extents *e)
{
    return e->begin == 0 && e->end == e->size && e->extent == e->size;
}

/* Where the bytes of a (count, datatype) message lie, in the order of its type signature: the message's stream of bytes. */
struct typemap;

/* Is the message one stretch of memory, in signature order? If so, sets *first to its start, in bytes from the buffer. */
bool typemap_contiguous(const struct typemap *t, ptrdiff_t *first);

/*
 * These functions copy the bytes [from, from + bytes) of the message's stream: from memory at `buffer` to `packed`, from
 * `packed` to memory, and from memory to memory. Only one thread at a time may use a typemap.
 */
void typemap_pack(const struct typemap *t, const char *buffer, int64_t from, int64_t bytes, char *packed);
void typemap_unpack(const struct typemap *t, char *buffer, int64_t from, int64_t bytes, const char *packed);
void typemap_move(const struct typemap *t, const char *source, char *target, int64_t from, int64_t bytes);

/* t may be NULL. */
void typemap_free(struct typemap *t);

/*
 * The address that lies `bytes` behind a buffer's address. If a type contains absolute addresses, the buffer's address
 * (MPI_BOTTOM) is far from all data, and pointer arithmetic in C does not allow such a sum.
 */
static inline char *displaced(const void *buffer, ptrdiff_t bytes)
{
    return (char *)((uintptr_t)buffer + (uintptr_t)bytes);
}
