/* SPDX-License-Identifier: BSD-2-Clause */
/* See shadow.h. */
#include "shadow.h"

#include "datatype.h"
#include "handles.h"
#include "prepare.h"
#include "seconds.h"
#include "sizes.h"
#include "trials.h"

#include <stdlib.h>
#include <string.h>

struct shadow {
    double began, timed; /* seconds: clock at the beginning; of the timed call */
    struct operation operation;
    struct view view; /* of the call; after open_view(), with our buffers */
    MPI_Op op;        /* for the program's own, if `stands_in` */
    bool stands_in;
    char *memory; /* of both buffers, or NULL */
};

static int64_t gapless_size(MPI_Datatype type)
{
    int64_t size;
    if (size_known(type, &size) && (handle_is_simple(type) || type_is_predefined(type)))
        return size;
    const struct extents e = type_extents(type);
    return extents_dense(&e) ? e.size : 0;
}

/* Of the trial's datatype: no question to MPI in a trial. */
static _Thread_local int64_t folded_size;

/* Like a sum. With gaps, leaves the zeros. */
static void fold_bytes(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const char *from = in;
    char *to = inout;
    const size_t bytes = (size_t)(*count * folded_size);
    (void)type;
    for (size_t i = 0; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
        uint64_t a, b;
        memcpy(&a, from + i, sizeof a);
        memcpy(&b, to + i, sizeof b);
        b ^= a;
        memcpy(to + i, &b, sizeof b);
    }
}

/* For the program's operation, which may have side effects; with its commute flag. */
static bool stand_in(struct shadow *t)
{
    int commutes;
    t->stands_in = pmpi.Op_commutative(t->view.op, &commutes) == MPI_SUCCESS &&
                   pmpi.Op_create(fold_bytes, commutes, &t->op) == MPI_SUCCESS;
    t->view.op = t->op;
    folded_size = gapless_size(t->view.datatype);
    return t->stands_in;
}

static struct shadow *shadow_of(struct serving *s)
{
    struct shadow *t = s->shadow ? s->shadow : calloc(1, sizeof *t);
    if (t && !s->shadow) {
        t->began = seconds_now();
        t->view = s->view;
        if (s->decision.question.facts.op == OP_ORDERED && !stand_in(t)) {
            free(t);
            t = NULL;
        }
        s->shadow = t;
    }
    return t;
}

struct operation *shadow_operation(struct serving *s)
{
    const struct decision *d = &s->decision;
    struct shadow *t = shadow_of(s);
    if (!t)
        return NULL;
    t->operation = (struct operation){.facts = d->question.facts, .plan = d->plan};
    prepare_plan(&t->operation, d->question.rule, s->comm);
    prepare_data(&t->operation, &t->view, s->comm);
    operation_keep(&t->operation); /* as a repeated call has it */
    return &t->operation;
}

/* Two buffers. False: no memory, or gaps make them too large. */
static bool open_view(struct shadow *t)
{
    const struct extents element = type_extents(t->view.datatype);
    ptrdiff_t origin;
    const size_t span = (size_t)extents_span(&element, t->view.count, &origin);
    if (span > SHADOW_MOST)
        return false;
    t->memory = aligned_alloc(SPAN_ALIGN, 2 * span);
    if (!t->memory)
        return false;
    memset(t->memory, 0, 2 * span); /* touches the pages */
    t->view.in = displaced(t->memory, origin);
    t->view.out = displaced(t->memory + span, origin);
    return true;
}

static void make_call(struct serving *s)
{
    const struct engine *e = s->decision.plan.engine;
    struct call like = *s->call;
    like.in = s->shadow->view.in;
    like.out = s->shadow->view.out;
    if (s->shadow->stands_in)
        like.op = (argument)s->shadow->op;
    if (engine_by_mpi(e))
        native_with(&like, s->comm, e, false);
    else
        perform_quietly(&s->shadow->operation, &s->shadow->view, s->comm); /* the program has not made this call */
}

bool shadow_reserve(struct serving *s)
{
    struct shadow *t = shadow_of(s);
    const bool native = engine_by_mpi(s->decision.plan.engine);
    bool have = t && (native || !operation_lacks_map(&t->operation)) && open_view(t);
    return trials_ready(s->comm, s->decision.kind, have, &s->moment);
}

/* Of the trial's engine again, if no message is needed. The same on all ranks. */
static bool has_scratch(struct serving *s)
{
    const struct operation *o = &s->shadow->operation;
    return engine_by_mpi(s->decision.plan.engine) || comm_acquire_quietly(s->comm, o->scratch_agreed, o->scratch);
}

/* An untimed call first, if the fastest candidate takes little time: MPI libraries may register new buffers. */
static void warm_up(struct serving *s)
{
    if (!kind_warms(s->decision.kind) || !has_scratch(s))
        return;
    make_call(s);
    has_scratch(s);
    if (!engine_by_mpi(s->decision.plan.engine))
        operation_fetch(&s->shadow->operation, &s->comm->channel);
    trials_ready(s->comm, s->decision.kind, true, &s->moment);
}

void shadow_run(struct serving *s)
{
    struct decision *d = &s->decision;
    warm_up(s);
    trials_await(s->comm, s->moment);
    trials_begin(s->comm, &d->when);
    make_call(s);
    trials_end(s->comm, &d->when);
    s->shadow->timed = 1e-9 * ((double)d->when.end - (double)d->when.start);
    trials_leave(s->comm);
    shadow_close(s);
}

void shadow_close(struct serving *s)
{
    if (!s->shadow)
        return;
    trials_lose(seconds_now() - s->shadow->began - s->shadow->timed); /* the history charges the timed call */
    operation_end(&s->shadow->operation);
    if (s->shadow->stands_in)
        pmpi.Op_free(&s->shadow->op);
    free(s->shadow->memory);
    free(s->shadow);
    s->shadow = NULL;
}
