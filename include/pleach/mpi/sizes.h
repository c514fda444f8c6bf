/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the sizes of datatypes: in a short call, a query to MPI would cost more than all other work of Pleach. */
#pragma once

#include "handles.h"

#include <stdatomic.h>

/*
 * Call it before the other functions, and again whenever MPI has begun anew. Without a keyval, Pleach queries MPI on each
 * call with a derived datatype.
 */
void sizes_open(void);

/*
 * The table of sizes. The upper 48 bits of a word are a handle. The lower 16 bits are the size of an element plus 1, or 0 if
 * the type has been queried only once. Threads read and write words atomically. Types that share a slot replace each other.
 * The table does not keep the sizes of elements of about 64 KiB and more: such calls take much longer than the query.
 */
enum { SIZES = 1 << 12, SIZE_BITS = 16, SIZE_MASK = (1 << SIZE_BITS) - 1 };
extern _Atomic uint64_t sizes[SIZES];

static inline _Atomic uint64_t *size_slot(MPI_Datatype type)
{
    return &sizes[HANDLE_HASH(type) >> 52];
}

/*
 * Finds the bytes of data in an element of a committed datatype without a query to MPI. Returns false if they are unknown.
 * MPICH's handles of its own simple types contain the size. An invalid handle may look like one of them; validate() detects
 * it before an engine may serve.
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

/* Grows whenever the program frees a type whose size, or whose identity (typemap.h), is known. */
extern _Atomic uint64_t types_freed;

/*
 * The life of a type that lives now: a value by which type_lives() tells later whether the handle certainly still means this
 * type. It never does so of a TYPE_UNWATCHED, and always of a TYPE_OF_MPI, which nobody can free. `number`: in the type's
 * identity; IDENTITY_NONE if that is not known.
 */
uint64_t type_life(MPI_Datatype type, uint64_t number);
#define TYPE_OF_MPI UINT64_MAX
#define TYPE_UNWATCHED (UINT64_MAX - 1)

static inline bool type_lives(uint64_t life)
{
    return life == TYPE_OF_MPI || life == atomic_load_explicit(&types_freed, memory_order_relaxed);
}

/* Has this handle been asked about for the first time? Then its type may have been made for a single call. */
static inline bool type_is_new(MPI_Datatype type)
{
    return atomic_load_explicit(size_slot(type), memory_order_relaxed) == HANDLE_KEY(type) << SIZE_BITS;
}

/*
 * Finds the bytes by a query to MPI. Returns false if the datatype is invalid or not committed, or if MPI has no size for
 * it. The communicator `comm` must have an error handler that returns.
 */
bool size_asked(MPI_Datatype type, MPI_Comm comm, int64_t *size);
