/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bytes of a message in memory: how far its elements reach, and copying any range of them. No MPI here.
 *
 * MPI_Pack can only pack whole elements. A broadcast of one large derived element (ScaLAPACK sends nothing else) has to be
 * cut inside the element. A typemap is a tree as large as the description of the type: an MPI_Type_vector is one node,
 * however many blocks it has. To find a position in the stream of bytes takes time O(depth + log of the lists on the way).
 */
#ifndef PLEACH_BYTES_H
#define PLEACH_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element of a datatype in memory; bytes. From MPI, see type_extents(). */
struct extents {
    int64_t size;       /* of data */
    int64_t extent;     /* from an element to the next; may be negative */
    int64_t low, width; /* true lower bound and true extent: where the data begin, and how far they reach */
    bool plain;         /* MPI's own type, whose elements follow each other without gaps: needs no typemap */
};

/*
 * Bytes of memory of `count` >= 1 elements, from the lowest to the highest byte of data. Element 0 lies `*origin` bytes
 * after the lowest.
 */
int64_t extents_span(const struct extents *e, int64_t count, ptrdiff_t *origin);

/* The bytes of a (count, datatype) message in the order of its type signature. */
struct typemap;

/*
 * Is the whole message one stretch of memory in the order of the signature? Then it starts `*first` bytes after the
 * buffer's address.
 */
bool typemap_contiguous(const struct typemap *t, ptrdiff_t *first);

/*
 * Bytes from .. from+bytes-1 of the signature's stream: memory at `buffer` -> packed, packed -> memory, memory -> memory. By
 * one thread at a time.
 */
void typemap_pack(const struct typemap *t, const char *buffer, int64_t from, int64_t bytes, char *packed);
void typemap_unpack(const struct typemap *t, char *buffer, int64_t from, int64_t bytes, const char *packed);
void typemap_move(const struct typemap *t, const char *source, char *target, int64_t from, int64_t bytes);

/* Frees it; t may be NULL. */
void typemap_free(struct typemap *t);

/*
 * The address `bytes` after a buffer's. With absolute addresses in a type, the buffer's address is far from all data, and
 * C's pointer arithmetic does not cover the sum.
 */
static inline char *displaced(const void *buffer, ptrdiff_t bytes)
{
    return (char *)((uintptr_t)buffer + (uintptr_t)bytes);
}

#endif
