/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MPI reuses handles of freed types, so a type whose size is kept gets an attribute, whose callback removes it. At the
 * second query: for a single call, an attribute costs more than it saves.
 */
#include "sizes.h"

#include "datatype.h"

_Atomic uint64_t sizes[SIZES], types_freed;

static int key = MPI_KEYVAL_INVALID; /* without a value */

static uint64_t word_of(MPI_Datatype type, uint64_t low)
{
    return HANDLE_KEY(type) << SIZE_BITS | low;
}

static int on_delete(MPI_Datatype type, int k, void *value, void *state)
{
    (void)k;
    (void)value;
    (void)state;
    atomic_fetch_add(&types_freed, 1);
    if (atomic_load(size_slot(type)) >> SIZE_BITS == HANDLE_KEY(type))
        atomic_store(size_slot(type), 0);
    return MPI_SUCCESS;
}

void sizes_open(void)
{
    for (int i = 0; i < SIZES; i++)
        atomic_store_explicit(&sizes[i], 0, memory_order_relaxed);
    if (pmpi.Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_delete, &key, NULL) != MPI_SUCCESS)
        key = MPI_KEYVAL_INVALID;
}

/* MPI calls on_delete() when it is freed. False: it cannot. Predefined types need none. */
static bool watch(MPI_Datatype type)
{
    return type_is_predefined(type) || (key != MPI_KEYVAL_INVALID && pmpi.Type_set_attr(type, key, NULL) == MPI_SUCCESS);
}

static void keep(MPI_Datatype type, int64_t size)
{
    if (size >= SIZE_MASK || HANDLE_KEY(type) >> (64 - SIZE_BITS))
        return;
    if (atomic_load(size_slot(type)) != word_of(type, 0))
        atomic_store(size_slot(type), word_of(type, 0));
    else if (watch(type))
        atomic_store(size_slot(type), word_of(type, (uint64_t)size + 1));
}

bool size_asked(MPI_Datatype type, MPI_Comm comm, int64_t *size)
{
    MPI_Count bytes;
    int ignored;
    if (pmpi.Pack_size(0, type, comm, &ignored) != MPI_SUCCESS)
        return false;
    pmpi.Type_size_x(type, &bytes);
    *size = bytes;
    if (bytes == MPI_UNDEFINED)
        return false;
    keep(type, bytes);
    return true;
}
