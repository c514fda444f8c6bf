/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the sizes of datatypes: in a short call, a query to MPI would cost more than all other work of Pleach. */
#ifndef PLEACH_SIZES_H
#define PLEACH_SIZES_H

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

/*
 * The number of derived types with a known size that the program has freed: as long as it stays, all others live. MPI may
 * have given their handles to new types only if it grows.
 */
extern _Atomic uint64_t sizes_freed;

/*
 * Finds the bytes by a query to MPI. Returns false if the datatype is invalid or not committed, or if MPI has no size for
 * it. The communicator `comm` must have an error handler that returns.
 */
bool size_asked(MPI_Datatype type, MPI_Comm comm, int64_t *size);

#endif
