/* SPDX-License-Identifier: BSD-2-Clause */
/* Broadcasts: blocks of a stream of bytes; see execution.h. */
#include "execution.h"
#include "hot.h"

HOT void stream_open(struct execution *e)
{
    e->stream = displaced(e->view->out, e->o->stream_at);
    for (int i = 0; i < BOUNCE_BUFFERS && !e->o->service->segment.cells; i++) {
        e->bounce[i] = e->channel->scratch + i * e->o->room;
        e->bounced[i] = -1;
    }
}

/* With the block, packed into buffer 0 if there is none. */
static int bounce_of(struct execution *e, int64_t block)
{
    const struct cut *cut = &e->o->cut;
    for (int i = 0; i < BOUNCE_BUFFERS; i++)
        if (e->bounced[i] == block)
            return i;
    typemap_pack(e->o->map, e->view->out, cut_offset(cut, block), cut_size(cut, block), e->bounce[0]);
    e->bounced[0] = block;
    return 0;
}

/* The one that the step does not send from. */
static int bounce_in(const struct execution *e, const struct step *x)
{
    return x->to != NOBODY && e->bounced[0] == x->a.block;
}

static struct buffer end_of(const struct execution *e, int64_t block, int buffer)
{
    const int64_t begin = cut_offset(&e->o->cut, block), end = cut_offset(&e->o->cut, block + 1);
    return (struct buffer){
        .memory = e->o->gapless ? e->stream + begin : e->bounce[buffer], .count = (int)(end - begin), .type = MPI_BYTE};
}

void stream_ends(struct execution *e, const struct step *x, struct buffer *out, struct buffer *in)
{
    bool staged = !e->o->gapless;
    if (x->to != NOBODY)
        *out = end_of(e, x->a.block, staged ? bounce_of(e, x->a.block) : 0);
    if (x->from != NOBODY)
        *in = end_of(e, x->b.block, bounce_in(e, x));
    if (x->from != NOBODY && e->call->drop)
        in->memory = e->call->drop;
}

void stream_arrived(struct execution *e, const struct step *x)
{
    const struct cut *cut = &e->o->cut;
    if (e->o->gapless)
        return;
    int buffer = bounce_in(e, x);
    e->bounced[buffer] = x->b.block;
    typemap_unpack(e->o->map, e->view->out, cut_offset(cut, x->b.block), cut_size(cut, x->b.block), e->bounce[buffer]);
}
