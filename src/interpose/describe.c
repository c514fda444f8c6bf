/* SPDX-License-Identifier: BSD-2-Clause */
/* Describe: an intercepted call -> facts and view; see call.h. */
#include "call.h"

#include "handles.h"
#include "process.h"

#include <limits.h>

enum reason describe(const struct call *c, const struct comm *comm, struct facts *f)
{
    MPI_Datatype type = (MPI_Datatype)c->datatype;
    int64_t size;

    *f = (struct facts){.collective = c->collective,
                        .op = c->collective == COLL_BCAST ? OP_NONE : op_class_of((MPI_Op)c->op, type),
                        .barred = comm->barred,
                        .ranks = comm->ranks,
                        .root = collective_rooted(c->collective) ? (int)c->root : 0,
                        .machine = &comm->nodes.machine};
    f->sum_of_two = f->op == OP_ROUNDS && f->ranks == 2 && op_symmetric((MPI_Op)c->op, type);
    if (comm->barred == REASON_INTERCOMM)
        return REASON_INTERCOMM;
    int64_t count = call_count(c);
    if (count < 0 || f->root < 0 || f->root >= comm->ranks)
        return REASON_INVALID;
    if (!type_size(type, process.probe, &size) || __builtin_mul_overflow(count, size, &f->bytes))
        return REASON_INVALID;
    f->units = c->collective == COLL_BCAST ? f->bytes : count;
    return REASON_NONE;
}

/* A broadcast among one rank touches nothing and checks everything. */
bool buffer_valid(const void *buffer, int64_t count, MPI_Datatype type)
{
    if (buffer == MPI_IN_PLACE)
        return false;
    if (count > INT_MAX && pmpi.Bcast_c)
        return pmpi.Bcast_c((void *)buffer, count, type, 0, process.probe) == MPI_SUCCESS;
    return pmpi.Bcast((void *)buffer, count > INT_MAX ? INT_MAX : (int)count, type, 0, process.probe) == MPI_SUCCESS;
}

enum reason validate(const struct call *c, const struct comm *comm, const struct facts *f, struct view *v)
{
    *v = (struct view){
        .in = c->in, .out = c->out, .count = call_count(c), .datatype = (MPI_Datatype)c->datatype, .op = MPI_OP_NULL};
    if (c->collective == COLL_BCAST) {
        v->in = NULL;
        return buffer_valid(v->out, v->count, v->datatype) ? REASON_NONE : REASON_INVALID;
    }

    v->op = (MPI_Op)c->op;
    if (pmpi.Reduce(NULL, NULL, 0, v->datatype, v->op, 0, process.probe) != MPI_SUCCESS)
        return REASON_INVALID; /* not an operation, or not one for this type */
    bool receives = c->collective != COLL_REDUCE || comm->rank == f->root;
    if (!receives)
        v->out = NULL;
    else if (!buffer_valid(v->out, v->count, v->datatype))
        return REASON_INVALID;
    if (c->in == MPI_IN_PLACE && receives) {
        v->in = v->out;
        return REASON_NONE;
    }
    bool alias = receives && v->in == v->out && v->in != MPI_BOTTOM;
    return !alias && buffer_valid(v->in, v->count, v->datatype) ? REASON_NONE : REASON_INVALID;
}
