/* SPDX-License-Identifier: BSD-2-Clause */
/* Reductions and scans: blocks of elements; see execution.h. */
#include "execution.h"

#include <string.h>

/* Copies elements first .. first+count-1 of one message to another; `from` and `to` are their elements 0. */
static void move(const struct operation *o, const char *from, char *to, int64_t first, int64_t count)
{
    const int64_t size = o->element.size;
    if (o->gapless)
        memcpy(to + first * size, from + first * size, (size_t)(count * size));
    else
        typemap_move(o->map, from, to, first * size, count * size);
}

void elements_open(struct execution *e)
{
    const struct operation *o = e->o;
    const int slots = o->plan.engine->scratch;
    e->slot[SLOT_IN] = (char *)e->view->in;
    e->slot[SLOT_OUT] = e->view->out;
    for (int i = 0; i < slots; i++)
        e->slot[SLOT_T0 + i] = displaced(e->channel->scratch + i * o->room, o->slot_at);
    if (o->service->executor.keeps_input && o->in_place) {
        e->slot[SLOT_IN] = displaced(e->channel->scratch + slots * o->room, o->copy_at);
        move(o, e->view->in, e->slot[SLOT_IN], 0, o->cut.units);
    }
}

/* The first element of a block. */
static char *element(const struct execution *e, struct piece p)
{
    const struct operation *o = e->o;
    return p.slot >= SLOT_T0 ? e->slot[p.slot]
                             : displaced(e->slot[p.slot], (ptrdiff_t)(cut_offset(&o->cut, p.block) * o->element.extent));
}

static struct buffer end_of(const struct execution *e, struct piece p)
{
    return (struct buffer){.memory = element(e, p), .count = (int)cut_size(&e->o->cut, p.block), .type = e->view->datatype};
}

void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in)
{
    if (x->to != NOBODY)
        *out = end_of(e, x->a);
    if (x->from != NOBODY)
        *in = end_of(e, x->b);
}

void elements_copy(const struct execution *e, const struct step *x)
{
    const struct operation *o = e->o;
    int64_t first = cut_offset(&o->cut, x->a.block), count = cut_size(&o->cut, x->a.block);
    char *a = element(e, x->a), *b = element(e, x->b);
    ptrdiff_t before = (ptrdiff_t)(first * o->element.extent);
    if (a != b) /* they are the same for MPI_IN_PLACE, from IN to OUT */
        /* As element 0 of the message would lie: the typemap is that of the message. */
        move(o, displaced(a, -before), displaced(b, -before), first, count);
}

int elements_fold(const struct execution *e, const struct step *x)
{
    return e->channel->mpi->Reduce_local(element(e, x->a), element(e, x->b), (int)cut_size(&e->o->cut, x->a.block),
                                         e->view->datatype, e->view->op);
}
