/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Typemaps: the bytes of a (count, datatype) message in the order of its type signature, so that any range of them can be
 * packed, unpacked or moved on its own.
 *
 * MPI_Pack can only pack whole elements; a broadcast of one large derived element, as ScaLAPACK sends nothing else, has to
 * be cut inside it. The tree below is as large as the description of the type (an MPI_Type_vector is one node, however many
 * blocks it has), and a position in the byte stream is found in time O(depth, and log of the lists on the way). It is built
 * at the first use of a derived type and stays with it as an attribute.
 */
#ifndef PLEACH_TYPEMAP_H
#define PLEACH_TYPEMAP_H

#include "pmpi.h"

#include <stddef.h>

struct typemap;

/* Once, before all others. False if MPI has no keyval left. */
bool typemap_open(void);

/* The typemap of `count` >= 0 elements of a committed type; NULL if memory is short. To be freed with typemap_free(). */
struct typemap *typemap_new(int64_t count, MPI_Datatype type);
void typemap_free(struct typemap *t);

/* Is the whole message one stretch of memory in the order of the signature? Then it starts `*at` bytes behind the buffer. */
bool typemap_contiguous(const struct typemap *t, ptrdiff_t *at);

/* Bytes from .. from+bytes-1 of the signature's stream: memory at `buffer` -> packed, packed -> memory, memory -> memory. */
void typemap_pack(const struct typemap *t, const char *buffer, int64_t from, int64_t bytes, char *packed);
void typemap_unpack(const struct typemap *t, char *buffer, int64_t from, int64_t bytes, const char *packed);
void typemap_move(const struct typemap *t, const char *source, char *target, int64_t from, int64_t bytes);

/*
 * Bytes of memory that `count` >= 1 elements of a type take up, from the lowest to the highest byte of data; element 0 lies
 * `*origin` bytes behind the lowest.
 */
int64_t type_span(MPI_Datatype type, int64_t count, ptrdiff_t *origin);

/*
 * `bytes` behind a buffer's address, which for types of absolute addresses is far from all data: the sum may be below 0, and
 * not C's pointer arithmetic.
 */
static inline char *displaced(const void *buffer, ptrdiff_t bytes)
{
    return (char *)((uintptr_t)buffer + (uintptr_t)bytes);
}

/* Is the type one that MPI defines, and not made by a constructor? */
bool type_is_predefined(MPI_Datatype type);

/* The type MPI defines that all data of a type are; MPI_DATATYPE_NULL if there are several, or memory is short. */
MPI_Datatype basic_of(MPI_Datatype type);

#endif
