/* SPDX-License-Identifier: BSD-2-Clause */
/* Intercepted calls, with arguments of full width, and the native functions of collectives. */
#pragma once

#include "collective.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Handles are ints in one binary interface of MPI and addresses in another, and programs for both call functions of the same
 * names. So the arguments keep their full width until the part for the MPI library's interface has them.
 */
typedef intptr_t argument;

struct call {
    enum collective collective;
    bool large;                               /* the _c form: count is an MPI_Count */
    const void *in;                           /* send buffer or MPI_IN_PLACE; unused by broadcast */
    void *out;                                /* receive buffer; broadcast: the buffer */
    argument count, datatype, op, root, comm; /* as passed; op and root 0 if the collective has none */
};

/* The argument `count`: the number of elements. */
static inline int64_t call_count(const struct call *c)
{
    return c->large ? (int64_t)c->count : (int)c->count;
}

/* The types of the functions. */
typedef int bcast_fn(void *, argument, argument, argument, argument);
typedef int reduce_fn(const void *, void *, argument, argument, argument, argument, argument);
typedef int unrooted_fn(const void *, void *, argument, argument, argument, argument);

/* Passes a call to the function `f` of its collective. */
static inline int native_call(void *f, const struct call *c)
{
    switch (c->collective) {
    case COLL_BCAST:
        return ((bcast_fn *)f)(c->out, c->count, c->datatype, c->root, c->comm);
    case COLL_REDUCE:
        return ((reduce_fn *)f)(c->in, c->out, c->count, c->datatype, c->op, c->root, c->comm);
    default:
        return ((unrooted_fn *)f)(c->in, c->out, c->count, c->datatype, c->op, c->comm);
    }
}
