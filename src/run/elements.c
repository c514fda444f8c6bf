/* SPDX-License-Identifier: BSD-2-Clause */
/* Reductions and scans: blocks of elements; see execution.h. */
#include "execution.h"
#include "hot.h"

#include <string.h>

/* From number `first` on. `from`, `to`: of element 0. */
static void move(const struct operation *o, const char *from, char *to, int64_t first, int64_t count)
{
    const int64_t size = o->element.size;
    if (o->gapless)
        memcpy(to + first * size, from + first * size, (size_t)(count * size));
    else
        typemap_move(o->map, from, to, first * size, count * size);
}

HOT void elements_open(struct execution *e)
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

/* Of a piece. Behind the message's end it goes on at its beginning. */
struct elements {
    int64_t first;
    int count;
};

static struct elements elements_of(const struct execution *e, struct piece p)
{
    const struct cut *c = &e->o->cut;
    const int64_t end = p.block + p.more + 1, behind = end - c->blocks;
    const int64_t first = cut_offset(c, p.block), last = behind > 0 ? c->units + cut_offset(c, behind) : cut_offset(c, end);
    return (struct elements){first, (int)(last - first)};
}

/* Of element `number` of the message. A scratch slot has only its piece. */
static char *element(const struct execution *e, int slot, int64_t number)
{
    return slot >= SLOT_T0 ? e->slot[slot] : displaced(e->slot[slot], (ptrdiff_t)(number * e->o->element.extent));
}

static struct buffer end_of(const struct execution *e, struct piece p)
{
    const struct elements s = elements_of(e, p);
    return (struct buffer){.memory = element(e, p.slot, s.first), .count = s.count, .type = e->view->datatype};
}

void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in)
{
    if (x->to != NOBODY)
        *out = end_of(e, x->a);
    if (x->from != NOBODY)
        *in = end_of(e, x->b);
    char *drop = e->call->drop;
    if (!drop && e->lacks && x->b.slot >= SLOT_T0)
        drop = e->channel->scratch; /* room for a block without gaps */
    if (x->from != NOBODY && drop)
        *in = (struct buffer){drop, (int)(in->count * e->o->element.size), MPI_BYTE};
}

int elements_combine(const struct wire *mpi, const struct operation *o, const struct view *v, const void *a, void *b,
                     int count)
{
    if (!o->fold)
        return mpi->Reduce_local(a, b, count, v->datatype, v->op);
    o->fold(b, a, b, (size_t)count);
    return MPI_SUCCESS;
}

int elements_fold(const struct execution *e, const void *a, void *b, int count)
{
    return elements_combine(e->channel->mpi, e->o, e->view, a, b, count);
}

void elements_copy(const struct operation *o, const char *from, char *to, int64_t count)
{
    if (from != to)
        move(o, from, to, 0, count);
}

static int act_on(const struct execution *e, enum step_kind kind, char *a, char *b, struct elements s)
{
    const struct operation *o = e->o;
    if (kind == STEP_FOLD)
        return elements_fold(e, a, b, s.count);
    ptrdiff_t before = (ptrdiff_t)(s.first * o->element.extent);
    if (a != b) /* with MPI_IN_PLACE, IN to OUT moves nothing */
        /* The typemap is the message's: displaced to where element 0 would be. */
        move(o, displaced(a, -before), displaced(b, -before), s.first, s.count);
    return MPI_SUCCESS;
}

HOT int elements_act(const struct execution *e, const struct step *x)
{
    const int64_t units = e->o->cut.units;
    const int slot[2] = {x->a.slot, x->b.slot};
    assert(x->a.block == x->b.block && x->a.more == x->b.more);
    struct elements s = elements_of(e, x->a);
    char *at[2] = {element(e, slot[0], s.first), element(e, slot[1], s.first)};
    const int64_t behind = s.first + s.count - units; /* elements beyond the end */
    if (behind <= 0)
        return act_on(e, x->kind, at[0], at[1], s);
    /* From block 0 on. In scratch memory it follows. */
    s.count = (int)(units - s.first);
    int error = act_on(e, x->kind, at[0], at[1], s);
    if (error != MPI_SUCCESS)
        return error;
    const ptrdiff_t done = (ptrdiff_t)(s.count * e->o->element.extent);
    for (int i = 0; i < 2; i++)
        at[i] = slot[i] >= SLOT_T0 ? displaced(at[i], done) : e->slot[slot[i]];
    return act_on(e, x->kind, at[0], at[1], (struct elements){0, (int)behind});
}
