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
    if (o->service->executor.keeps_input && o->in_place && !e->lacks) {
        e->slot[SLOT_IN] = displaced(e->channel->scratch + slots * o->room, o->copy_at);
        move(o, e->view->in, e->slot[SLOT_IN], 0, o->cut.units);
    }
}

/* The first element of a piece. */
static char *element(const struct execution *e, struct piece p)
{
    const struct operation *o = e->o;
    return p.slot >= SLOT_T0 ? e->slot[p.slot]
                             : displaced(e->slot[p.slot], (ptrdiff_t)(cut_offset(&o->cut, p.block) * o->element.extent));
}

static int elements_in(const struct execution *e, struct piece p)
{
    const struct cut *c = &e->o->cut;
    const int64_t end = p.block + p.more + 1, behind = end - c->blocks; /* a piece may wrap around to block 0 */
    const int64_t begin = cut_offset(c, p.block);
    return (int)(behind > 0 ? c->units - begin + cut_offset(c, behind) : cut_offset(c, end) - begin);
}

static struct buffer end_of(const struct execution *e, struct piece p)
{
    return (struct buffer){.memory = element(e, p), .count = elements_in(e, p), .type = e->view->datatype};
}

void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in)
{
    if (x->to != NOBODY)
        *out = end_of(e, x->a);
    if (x->from != NOBODY)
        *in = end_of(e, x->b);
    if (x->from != NOBODY && e->lacks && x->b.slot >= SLOT_T0) /* all ranks have scratch memory for a block without gaps */
        *in = (struct buffer){e->channel->scratch, (int)(in->count * e->o->element.size), MPI_BYTE};
}

int elements_fold(const struct execution *e, const void *a, void *b, int count)
{
    if (!e->o->fold)
        return e->channel->mpi->Reduce_local(a, b, count, e->view->datatype, e->view->op);
    e->o->fold(b, a, b, (size_t)count);
    return MPI_SUCCESS;
}

static int act_on(const struct execution *e, enum step_kind kind, char *a, char *b, struct piece p)
{
    const struct operation *o = e->o;
    const int count = elements_in(e, p);
    if (kind == STEP_FOLD)
        return elements_fold(e, a, b, count);
    int64_t first = cut_offset(&o->cut, p.block);
    ptrdiff_t before = (ptrdiff_t)(first * o->element.extent);
    if (a != b) /* with MPI_IN_PLACE, a copy from IN to OUT moves nothing */
        /* The typemap is that of the message, so a and b are displaced to where element 0 of the message would be. */
        move(o, displaced(a, -before), displaced(b, -before), first, count);
    return MPI_SUCCESS;
}

int elements_act(const struct execution *e, const struct step *x)
{
    const int64_t n = e->o->shape.blocks, behind = x->a.block + x->a.more + 1 - n;
    struct piece a = x->a, b = x->b;
    if (behind <= 0)
        return act_on(e, x->kind, element(e, a), element(e, b), a);
    /* A piece may pass the last block and go on at block 0. In scratch memory its two parts follow each other. */
    a.more = b.more = n - 1 - a.block;
    int error = act_on(e, x->kind, element(e, a), element(e, b), a);
    if (error != MPI_SUCCESS)
        return error;
    const struct piece rest = {.slot = SLOT_OUT, .block = 0, .more = behind - 1};
    const ptrdiff_t done = (ptrdiff_t)(elements_in(e, a) * e->o->element.extent);
    char *at[2] = {element(e, a), element(e, b)};
    const int slot[2] = {a.slot, b.slot};
    for (int i = 0; i < 2; i++)
        at[i] = slot[i] >= SLOT_T0 ? displaced(at[i], done) : e->slot[slot[i]];
    return act_on(e, x->kind, at[0], at[1], rest);
}
