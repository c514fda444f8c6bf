/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes of datatypes, kept for later calls: in a short call, a query to the MPI library costs more than all the rest. */
#ifndef PLEACH_SIZES_H
#define PLEACH_SIZES_H

#include "handles.h"

#include <stdatomic.h>

/* Called once, before the other functions. If MPI has no keyval left, each call with a derived datatype queries MPI. */
void sizes_open(void);

/*
 * The table. A word has the 48 bits of a handle and, below them, 1 + the bytes in an element of the type; or 0, if the type
 * was queried only once. Words are read and written atomically. Types that share a slot evict each other. The table does not
 * keep elements of 64 KiB and more: a call with them takes much longer than the query.
 */
enum { SIZES = 1 << 12, SIZE_BITS = 16, SIZE_MASK = (1 << SIZE_BITS) - 1 };
extern _Atomic uint64_t sizes[SIZES];

static inline _Atomic uint64_t *size_slot(MPI_Datatype type)
{
    return &sizes[HANDLE_HASH(type) >> 52];
}

/*
 * Bytes of data in an element of a committed datatype, if known without a query. MPICH's handles of its own simple types
 * contain the size. An invalid handle may look like one of these; validate() finds that out before an engine may serve.
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

/* The same, by a query to MPI; false if the datatype is not committed. `probe`: a communicator whose errors return. */
bool size_asked(MPI_Datatype type, MPI_Comm probe, int64_t *size);

#endif
