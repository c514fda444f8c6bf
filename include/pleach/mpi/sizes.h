/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sizes of datatypes. What a program uses again is kept: to ask the MPI library costs a short call more than all the rest.
 */
#ifndef PLEACH_SIZES_H
#define PLEACH_SIZES_H

#include "handles.h"

#include <stdatomic.h>

/* Once, before all others. If MPI has no keyval left, it is asked each time. */
void sizes_open(void);

/*
 * The table: the 48 bits of a handle, and 1 + bytes in its element, in a word, which is read and written at once. 0 bytes
 * and no 1: the type has been asked for once. Types that share a slot drive each other out. Elements of 64 KiB and more are
 * not kept: beside their calls the question costs nothing.
 */
enum { SIZES = 1 << 12, SIZE_BITS = 16, SIZE_MASK = (1 << SIZE_BITS) - 1 };
extern _Atomic uint64_t sizes[SIZES];

static inline _Atomic uint64_t *size_slot(MPI_Datatype type)
{
    return &sizes[HANDLE_HASH(type) >> 52];
}

/*
 * Bytes of data in an element of a committed datatype, if that is known without asking. MPICH's handles of its own simple
 * types tell it. That some of those are none is found out before an engine may serve.
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

/* The same, of another datatype; false for what is no committed one. `probe`: a communicator whose errors return. */
bool size_asked(MPI_Datatype type, MPI_Comm probe, int64_t *size);

#endif
