/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes an intercepted call by facts and a view; see call.h. */
#include "call.h"

#include "datatype.h"
#include "handles.h"
#include "hot.h"
#include "self_comm.h"
#include "sizes.h"

/* Bytes of data. False: not committed, or we cannot ask. */
static bool size_of(MPI_Datatype type, int64_t *size)
{
    if (size_known(type, size))
        return true;
    MPI_Comm self = self_comm_get();
    bool known = self != MPI_COMM_NULL && size_asked(type, self, size);
    self_comm_give();
    return known;
}

HOT enum reason describe(const struct call *c, const struct comm *comm, struct facts *f)
{
    MPI_Datatype type = (MPI_Datatype)c->datatype;
    int64_t size;

    const enum op_class op = collective_reduces(c->collective) ? op_class_of((MPI_Op)c->op, type) : OP_NONE;
    *f = (struct facts){.collective = c->collective,
                        .op = op,
                        .symmetric = op == OP_ROUNDS && op_symmetric((MPI_Op)c->op, type),
                        .barred = comm->known.barred,
                        .ranks = comm->ranks,
                        .root = collective_rooted(c->collective) ? (int)c->root : 0,
                        .machine = &comm->known.machine};
    int64_t count = call_count(c);
    if (comm->known.barred == REASON_INTERCOMM) {
        if (f->root != MPI_PROC_NULL && count > 0 && size_of(type, &size) && __builtin_mul_overflow(count, size, &f->bytes))
            f->bytes = 0;
        return REASON_INTERCOMM;
    }
    if (count < 0 || f->root < 0 || f->root >= comm->ranks)
        return REASON_INVALID;
    if (!size_of(type, &size) || __builtin_mul_overflow(count, size, &f->bytes))
        return REASON_INVALID;
    f->units = collective_streams(c->collective) ? f->bytes : count;
    return REASON_NONE;
}

/* Checked even if the message is empty. Some releases of MPI libraries refuse equal buffers even then. */
static bool kind_accepted(MPI_Comm self, const struct call *c)
{
    MPI_Datatype type = (MPI_Datatype)c->datatype;
    return collective_reduces(c->collective)
               ? pmpi.Reduce(MPI_IN_PLACE, NULL, 0, type, (MPI_Op)c->op, 0, self) == MPI_SUCCESS
               : self_comm_accepts(self, NULL, 0, type);
}

/* One buffer as IN and OUT. As MPI judges, else one rank's call is native and another's not. */
static bool alias_accepted(MPI_Comm self, const struct call *c)
{
    struct call alone = *c;
    alone.comm = (argument)self;
    alone.root = 0;
    alone.collective = pmpi_reports_aliasing(c->collective, call_count(c));
    return native(&alone) == MPI_SUCCESS;
}

/*
 * OUT on rank 0 of an exscan, which does not matter, and not every MPI looks at it. MPI judges the whole call on the self
 * communicator, where it leaves OUT alone.
 */
static bool ignored(MPI_Comm self, const struct call *c, struct view *v)
{
    struct call alone = *c;
    alone.comm = (argument)self;
    v->out = NULL;
    return native(&alone) == MPI_SUCCESS;
}

static bool all_accepted(MPI_Comm self, const struct call *c, const struct comm *comm, const struct facts *f, struct view *v)
{
    if (!collective_reduces(c->collective))
        return self_comm_accepts(self, v->out, v->count, v->datatype);
    if (!kind_accepted(self, c))
        return false; /* not with this type */
    bool receives = collective_receives(f->collective, comm->rank, f->root);
    if (!receives)
        v->out = NULL;
    else if (!self_comm_accepts(self, v->out, v->count, v->datatype))
        return !collective_writes(f->collective, comm->rank, f->root) && ignored(self, c, v);
    if (c->in == MPI_IN_PLACE && receives) {
        v->in = v->out;
        return true;
    }
    if (receives && v->in == v->out && v->in != MPI_BOTTOM)
        return alias_accepted(self, c);
    return self_comm_accepts(self, v->in, v->count, v->datatype);
}

HOT bool op_stands(const struct call *c, const struct facts *f)
{
    int commutes;
    return f->op != OP_ORDERED || pmpi.Op_commutative((MPI_Op)c->op, &commutes) == MPI_SUCCESS;
}

enum reason validate(const struct call *c, const struct comm *comm, const struct facts *f, struct view *v)
{
    bool reduces = collective_reduces(c->collective);
    *v = (struct view){.in = reduces ? c->in : NULL,
                       .out = c->out,
                       .count = call_count(c),
                       .datatype = (MPI_Datatype)c->datatype,
                       .op = reduces ? (MPI_Op)c->op : MPI_OP_NULL,
                       .own_op = reduces ? op_own((MPI_Op)c->op) : 0};
    bool valid = all_accepted(self_comm_get(), c, comm, f, v);
    self_comm_give();
    return valid ? REASON_NONE : REASON_INVALID;
}

void call_keep(struct memo_entry *x, const struct call *c, const struct facts *f, const struct view *v)
{
    if (!facts_same(&x->answer.question.facts, f))
        x->answer = (struct answer){.stands = false};
    memo_extend(x, call_count(c));
    x->ready = false;
    x->valid = v || (x->valid && type_lives(x->life));
    x->life = type_life((MPI_Datatype)c->datatype, IDENTITY_NONE);
    x->renewed = 0;
    if (!v)
        return;
    x->view = *v;
    x->in = c->in;
    x->out = c->out;
}

static inline bool ordinary(const void *buffer)
{
    return buffer != MPI_IN_PLACE && (uintptr_t)buffer >> 12;
}

HOT bool call_valid_again(struct memo_entry *x, const struct call *c, const struct comm *comm)
{
    const bool reduces = collective_reduces(c->collective), in_place = c->in == MPI_IN_PLACE;
    const bool receives = !reduces || collective_receives(c->collective, comm->rank, (int)c->root);
    if (!x->valid || (c->in == x->in && c->out == x->out && (c->in != c->out || call_count(c) == x->key.count)))
        return x->valid;
    if ((reduces && !in_place && !ordinary(c->in)) ||
        (receives && (!ordinary(c->out) || c->in == c->out || x->in == x->out)))
        return false;
    x->in = c->in;
    x->out = c->out;
    x->view.in = in_place ? c->out : c->in;
    x->view.out = receives ? c->out : NULL;
    return true;
}

HOT bool still_valid(const struct call *c, struct comm *comm, const struct facts *f)
{
    const struct memo_key key = call_key(c);
    struct memo_entry *x = memo_find(&comm->memo, &key);
    struct view view;
    if (x && type_lives(x->life) && call_valid_again(x, c, comm) && op_stands(c, f))
        return true;
    const bool valid = validate(c, comm, f, &view) == REASON_NONE;
    if (valid)
        call_keep(memo_place(&comm->memo, &key), c, f, &view);
    return valid;
}

bool call_valid(const struct comm *draft, const struct call *c)
{
    struct facts facts;
    struct view view;
    MPI_Comm self = self_comm_get();
    const bool kind = self == MPI_COMM_NULL || call_count(c) != 0 || kind_accepted(self, c);
    self_comm_give();
    if (self == MPI_COMM_NULL || draft->known.barred)
        return true;
    enum reason reason = describe(c, draft, &facts);
    if (call_count(c) == 0)
        return kind && facts.root >= 0 && facts.root < facts.ranks;
    return reason == REASON_NONE && validate(c, draft, &facts, &view) == REASON_NONE;
}
