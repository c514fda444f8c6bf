/* SPDX-License-Identifier: BSD-2-Clause */
/* Describe: an intercepted call -> facts and view; see call.h. */
#include "call.h"
#include "comm.h"
#include "process.h"

#include <limits.h>

static int64_t count_of(const struct call *c)
{
    return c->large ? (int64_t)c->count : (int)c->count;
}

/* Integer types: sums and products on them give the same bits in any order. */
static bool is_integer(MPI_Datatype t)
{
    static const MPI_Datatype integers[] = {
        MPI_CHAR,     MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE,          MPI_SHORT,     MPI_UNSIGNED_SHORT,
        MPI_INT,      MPI_UNSIGNED,    MPI_LONG,          MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG,
        MPI_INT8_T,   MPI_INT16_T,     MPI_INT32_T,       MPI_INT64_T,       MPI_UINT8_T,   MPI_UINT16_T,
        MPI_UINT32_T, MPI_UINT64_T,    MPI_AINT,          MPI_OFFSET,        MPI_COUNT,     MPI_C_BOOL,
        MPI_INTEGER,  MPI_INTEGER1,    MPI_INTEGER2,      MPI_INTEGER4,      MPI_INTEGER8};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
        if (t == integers[i])
            return true;
    return false;
}

/* The pair types of MINLOC and MAXLOC whose values are integers. */
static bool is_integer_pair(MPI_Datatype t)
{
    return t == MPI_2INT || t == MPI_LONG_INT || t == MPI_SHORT_INT || t == MPI_2INTEGER;
}

/* Minima and maxima of floating-point numbers depend on the order, too: 0 equals -0, and NaN is not ordered. */
static enum op_class class_of(MPI_Op op, MPI_Datatype t)
{
    switch (op) {
    case MPI_SUM:
    case MPI_PROD:
    case MPI_MAX:
    case MPI_MIN:
        return is_integer(t) ? OP_EXACT : OP_ROUNDS;
    case MPI_MINLOC:
    case MPI_MAXLOC:
        return is_integer_pair(t) ? OP_EXACT : OP_ROUNDS;
    case MPI_LAND:
    case MPI_BAND:
    case MPI_LOR:
    case MPI_BOR:
    case MPI_LXOR:
    case MPI_BXOR:
        return OP_EXACT;
    default: /* the user's, whatever its commute flag says */
        return OP_ORDERED;
    }
}

/*
 * Bytes of data in an element; false for what is no committed datatype. MPICH's handles of its own simple types tell their
 * size. That some of those are none is found out before an engine may serve.
 */
static bool type_size(MPI_Datatype type, MPI_Count *size)
{
    int ignored;
    if (pmpi.sizes_in_handles && HANDLE_IS_SIMPLE(type)) {
        *size = HANDLE_SIZE(type);
        return true;
    }
    if (pmpi.Pack_size(0, type, process.probe, &ignored) != MPI_SUCCESS)
        return false;
    pmpi.Type_size_x(type, size);
    return *size != MPI_UNDEFINED;
}

enum reason describe(const struct call *c, const struct comm *comm, struct facts *f)
{
    bool rooted = c->collective == COLL_BCAST || c->collective == COLL_REDUCE;
    MPI_Datatype type = (MPI_Datatype)c->datatype;
    MPI_Count size;

    *f = (struct facts){.collective = c->collective,
                        .barred = comm->barred,
                        .ranks = comm->ranks,
                        .root = rooted ? (int)c->root : 0,
                        .machine = &comm->machine};
    if (comm->barred == REASON_INTERCOMM)
        return REASON_INTERCOMM;
    int64_t count = count_of(c);
    if (count < 0 || f->root < 0 || f->root >= comm->ranks)
        return REASON_INVALID;
    if (!type_size(type, &size) || __builtin_mul_overflow(count, (int64_t)size, &f->bytes))
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

enum reason validate(const struct call *c, const struct comm *comm, struct facts *f, struct view *v)
{
    f->op = c->collective == COLL_BCAST ? OP_NONE : class_of((MPI_Op)c->op, (MPI_Datatype)c->datatype);
    *v = (struct view){
        .in = c->in, .out = c->out, .count = count_of(c), .datatype = (MPI_Datatype)c->datatype, .op = MPI_OP_NULL};
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
