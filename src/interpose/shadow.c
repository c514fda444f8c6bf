/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs shadow trials; see shadow.h. */
#include "shadow.h"

#include "datatype.h"
#include "prepare.h"
#include "trials.h"

#include <stdlib.h>
#include <string.h>

struct shadow {
    struct operation operation; /* of an engine's trial */
    struct view view;           /* of the buffers */
    char *memory;               /* both buffers, or NULL */
};

/* Returns the trial beside this call. Begins one if there is none. Returns NULL if memory is short. */
static struct shadow *shadow_of(struct serving *s)
{
    if (!s->shadow)
        s->shadow = calloc(1, sizeof *s->shadow);
    return s->shadow;
}

struct operation *shadow_operation(struct serving *s)
{
    const struct decision *d = &s->decision;
    struct shadow *t = shadow_of(s);
    if (!t)
        return NULL;
    t->operation = (struct operation){.facts = d->question.facts, .plan = d->plan};
    prepare_operation(&t->operation, &s->view, s->comm);
    return &t->operation;
}

/* Allocates two buffers, and makes a view of them like that of the application's. Returns false if memory is short. */
static bool open_view(struct shadow *t, const struct view *v)
{
    const struct extents element = type_extents(v->datatype);
    ptrdiff_t origin;
    size_t span = (size_t)extents_span(&element, v->count, &origin);
    t->memory = malloc(2 * span);
    if (!t->memory)
        return false;
    memset(t->memory, 0, 2 * span); /* touches the pages, and brings as much of them into the caches as fits */
    t->view = *v;
    t->view.in = displaced(t->memory, origin);
    t->view.out = displaced(t->memory + span, origin);
    return true;
}

bool shadow_reserve(struct serving *s)
{
    struct shadow *t = shadow_of(s);
    const bool native = engine_by_mpi(s->decision.plan.engine);
    bool have = t && (native || !operation_lacks_map(&t->operation)) && open_view(t, &s->view);
    return pmpi_agreed(s->comm->user, have, MPI_MIN);
}

void shadow_run(struct serving *s)
{
    struct decision *d = &s->decision;
    struct call like = *s->call;
    like.in = s->shadow->view.in;
    like.out = s->shadow->view.out;
    d->when.start = trials_clock(s->comm);
    if (engine_by_mpi(d->plan.engine))
        native_with(&like, d->plan.engine);
    else
        perform(&s->shadow->operation, &s->shadow->view, s->comm);
    d->when.end = trials_clock(s->comm);
    shadow_close(s);
}

void shadow_close(struct serving *s)
{
    if (!s->shadow)
        return;
    operation_end(&s->shadow->operation);
    free(s->shadow->memory);
    free(s->shadow);
    s->shadow = NULL;
}
