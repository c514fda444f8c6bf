/* SPDX-License-Identifier: BSD-2-Clause */
/* See prepare.h. */
#include "prepare.h"
#include "arithmetic.h"

#include "datatype.h"
#include "fold.h"
#include "hot.h"
#include "mismatch.h"
#include "host_copy.h"
#include "process.h"
#include "typemap.h"

#include <assert.h>

void prepare_plan(struct operation *o, const struct rule *rule, const struct comm *comm)
{
    if (o->plan.engine->serves[o->facts.collective].composed)
        operation_compose(o, &process.settings, rule, comm->channel.nodes, comm->rank);
    operation_plan(o, comm->rank);
}

/* Not without its typemap: there may be memory now. */
static bool fits(const struct operation *o, const struct view *v, const struct identity *type)
{
    return o->count == v->count && o->datatype == v->datatype && o->in_place == (v->in == v->out) &&
           !operation_lacks_map(o) && identity_same(&o->type, type);
}

bool prepare_fits(const struct operation *o, const struct view *v)
{
    struct identity type;
    type_identity(v->datatype, &type);
    return fits(o, v, &type);
}

void prepare_data(struct operation *o, const struct view *v, const struct comm *comm)
{
    struct identity type;
    type_identity(v->datatype, &type);
    if (!fits(o, v, &type)) {
        typemap_free(o->map);
        o->count = v->count;
        o->datatype = v->datatype;
        o->type = type;
        o->in_place = v->in == v->out;
        o->element = type_extents(v->datatype);
        o->element.plain = type.number == IDENTITY_OF_MPI && extents_dense(&o->element);
        o->map = o->element.plain ? NULL : typemap_new(v->count, v->datatype, &o->type);
        o->op = MPI_OP_NULL;
        o->facts.machine = &comm->known.machine;
        operation_fit(o, comm->rank);
        o->facts.machine = NULL; /* its figures may change */
    }
    if (o->op != v->op)
        o->fold = fold_find(comm->channel.mpi, v->op, v->datatype);
    o->op = v->op;
}

HOT bool prepare_size(struct memo_entry *x, int64_t count, const struct comm *comm)
{
    struct operation *o = &x->operation;
    struct facts f = x->answer.question.facts;
    const struct plan before = x->answer.plan;
    struct program_state program;
    f.bytes = x->size * count;
    f.units = collective_streams(f.collective) ? f.bytes : count;
    f.machine = &comm->known.machine;
    arithmetic_begin(&program);
    answer_cut(&x->answer, &process.settings, &f);
    arithmetic_end(&program);
    x->key.count = x->view.count = count;
    x->ready = x->ready && o->element.plain;
    if (x->ready) {
        operation_cut(o, &f, &x->answer.plan);
        o->count = count;
        operation_fit(o, comm->rank);
    }
    return x->answer.plan.blocks == before.blocks && x->answer.plan.wide == before.wide;
}

HOT int perform_quietly(const struct operation *o, const struct view *v, struct comm *comm)
{
    assert(comm->channel.comm != MPI_COMM_NULL && comm->channel.comm != comm->user);
    const int error = host_copy_run(o, v, comm);
    comm_performed(comm, error != MPI_SUCCESS);
    return error;
}

HOT int perform(const struct operation *o, const struct view *v, struct comm *comm)
{
    const int error = perform_quietly(o, v, comm);
    /* After the beginning, no native call can follow. */
    if (error != MPI_SUCCESS) {
        mismatch_tell(comm);
        pmpi.Comm_call_errhandler(comm->user, error);
    }
    return error;
}
