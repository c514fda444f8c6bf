/* SPDX-License-Identifier: BSD-2-Clause */
/* Intercepted calls, with arguments of full width, and the native functions of collectives. */
#pragma once

#include "collective.h"

#include <stdbool.h>
#include <stdint.h>

/* Handles are ints in one interface and addresses in another: arguments keep their full width until a part has them. */
typedef intptr_t argument;

struct call {
    enum collective collective;
    bool large;                               /* the _c form */
    const void *in;                           /* send buffer or MPI_IN_PLACE; unused by broadcast */
    void *out;                                /* receive buffer; broadcast: the buffer */
    argument count, datatype, op, root, comm; /* as passed; op and root are 0 if the collective has none */
};

static inline int64_t call_count(const struct call *c)
{
    return c->large ? (int64_t)c->count : (int)c->count;
}

typedef int bcast_fn(void *, argument, argument, argument, argument);
typedef int reduce_fn(const void *, void *, argument, argument, argument, argument, argument);
typedef int unrooted_fn(const void *, void *, argument, argument, argument, argument);

/* Passes the call to the function `f` of its collective. */
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
