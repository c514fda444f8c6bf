/* SPDX-License-Identifier: BSD-2-Clause */
/* Native calls: calls of the MPI library itself. */
#include "algorithms.h"
#include "call.h"
#include "comm.h"
#include "hot.h"
#include "process.h"
#include "self_comm.h"
#include "host_copy.h"

/* A program whose errors are fatal must not go on without its data. */
static int refuse_count(const struct call *c)
{
    if (pmpi.Comm_call_errhandler)
        pmpi.Comm_call_errhandler((MPI_Comm)c->comm, MPI_ERR_COUNT);
    return MPI_ERR_COUNT;
}

HOT int native_by(const struct call *c, void *f)
{
    if (!f)
        return refuse_count(c);
    return native_call(f, c);
}

/* Without _c forms in the MPI library, the other form serves, unless the count is too large. */
HOT int native(const struct call *c)
{
    void *const *form = pmpi.native[c->collective];
    const bool fits = call_count(c) == (int)call_count(c);
    return native_by(c, form[c->large] || !fits ? form[c->large] : form[0]);
}

/* On a carrier, errors return. They belong to the program's communicator. */
HOT int native_with(const struct call *c, const struct comm *comm, const struct engine *e, bool named)
{
    if (!e->algorithm)
        return native(c);
    const MPI_Comm carrier = comm_carrier(comm, e->algorithm);
    struct call switched = *c;
    switched.comm = (argument)carrier;
    algorithm_begin(c->collective, e->algorithm, named);
    const int error = native(&switched);
    algorithm_end();
    if (error != MPI_SUCCESS && carrier != (MPI_Comm)c->comm)
        pmpi.Comm_call_errhandler((MPI_Comm)c->comm, error);
    return error;
}

/* On the root. Unchanged, without memory. */
static int reduce_from_copy(const struct call *c, const struct comm *comm, const struct view *v, const struct engine *e,
                            bool named)
{
    struct call moved = *c;
    struct host_copy input;
    if (host_copy_make(&input, c->out, v) && host_copy_fill(&input, v) == MPI_SUCCESS)
        moved.in = input.data;
    const int error = native_with(&moved, comm, e, named);
    host_copy_close(&input);
    return error;
}

HOT int native_mended(const struct call *c, const struct comm *comm, const struct facts *f, const struct engine *e,
                      bool named)
{
    bool hit = c->collective == COLL_REDUCE && pmpi_reduce_crashes(c->in, comm->rank, f->root) && f->bytes > 0 &&
               !f->barred && !process.settings.disable;
    hit = hit && buffer_valid(c->out, f->units, (MPI_Datatype)c->datatype);
    const struct view v = {.out = c->out, .count = f->units, .datatype = (MPI_Datatype)c->datatype};
    return hit ? reduce_from_copy(c, comm, &v, e, named) : native_with(c, comm, e, named);
}
