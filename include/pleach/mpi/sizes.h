/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes of datatypes: a query to MPI would be most of a short call. */
#pragma once

#include "handles.h"

#include <stdatomic.h>

/* Call it first, and again when MPI has begun anew. Without a keyval, each call with a derived type queries MPI. */
void sizes_open(void);

/*
 * A word has 48 bits of handle, then 16 bits: the size plus 1, or 0 if the type was queried only once. Types in one slot
 * replace each other. Sizes from about 64 KiB on are not kept.
 */
enum { SIZES = 1 << 12, SIZE_BITS = 16, SIZE_MASK = (1 << SIZE_BITS) - 1 };
extern _Atomic uint64_t sizes[SIZES];

static inline _Atomic uint64_t *size_slot(MPI_Datatype type)
{
    return &sizes[HANDLE_HASH(type) >> 52];
}

/*
 * Finds the bytes of data in an element of a committed type, without a query. Returns false if they are unknown. An invalid
 * handle may look simple: validate() finds it before an engine serves.
 */
static inline bool size_known(MPI_Datatype type, int64_t *size)
{
    if (handle_is_simple(type)) {
        *size = handle_size(type);
        return true;
    }
    const uint64_t word = atomic_load_explicit(size_slot(type), memory_order_relaxed);
    *size = (int64_t)(word & SIZE_MASK) - 1;
    return word >> SIZE_BITS == HANDLE_KEY(type) && *size >= 0;
}

/* Grows when a type of known size or identity (typemap.h) is freed. */
extern _Atomic uint64_t types_freed;

/*
 * The life of a type. By it type_lives() later tells whether the handle certainly still means this type: never if
 * TYPE_UNWATCHED, always if TYPE_OF_MPI. `number`: of the identity, or IDENTITY_NONE.
 */
uint64_t type_life(MPI_Datatype type, uint64_t number);
#define TYPE_OF_MPI UINT64_MAX
#define TYPE_UNWATCHED (UINT64_MAX - 1)

static inline bool type_lives(uint64_t life)
{
    return life == TYPE_OF_MPI || life == atomic_load_explicit(&types_freed, memory_order_relaxed);
}

/* Was it queried only once? Then it may have been made for a single call. */
static inline bool type_is_new(MPI_Datatype type)
{
    return atomic_load_explicit(size_slot(type), memory_order_relaxed) == HANDLE_KEY(type) << SIZE_BITS;
}

/*
 * Finds the bytes by a query. Returns false if the type is invalid or not committed, or has no size. Errors on `comm` must
 * return.
 */
bool size_asked(MPI_Datatype type, MPI_Comm comm, int64_t *size);
