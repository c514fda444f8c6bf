/* SPDX-License-Identifier: BSD-2-Clause */
/* The native functions of collectives, called with arguments of full width. */
#pragma once

#include "pmpi.h"

/*
 * Handles are ints in one binary interface of MPI and addresses in another, and programs for both call functions of the same
 * names. So the arguments keep their full width until it is certain that the MPI library has our interface.
 */
typedef intptr_t argument;
_Static_assert(sizeof(argument) >= sizeof(MPI_Count), "Pleach needs a machine whose addresses have 64 bits");

/* The types of the functions. */
typedef int bcast_fn(void *, argument, argument, argument, argument);
typedef int reduce_fn(const void *, void *, argument, argument, argument, argument, argument);
typedef int unrooted_fn(const void *, void *, argument, argument, argument, argument);

/* Calls the function `f` of a collective. The collective lacks some of the arguments. */
static inline int native_call(void *f, enum collective c, const void *in, void *out, argument count, argument datatype,
                              argument op, argument root, argument comm)
{
    switch (c) {
    case COLL_BCAST:
        return ((bcast_fn *)f)(out, count, datatype, root, comm);
    case COLL_REDUCE:
        return ((reduce_fn *)f)(in, out, count, datatype, op, root, comm);
    default:
        return ((unrooted_fn *)f)(in, out, count, datatype, op, comm);
    }
}
