/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executor: performs any engine's schedule; see run.h. It knows two kinds of message:
 *
 *   a broadcast is a stream of bytes, the data in the order of the type signature, as ranks may have different datatypes.
 *   Where that stream is one stretch of memory, blocks are sent from and received into it; elsewhere they pass through one
 *   of two staging buffers.
 *
 *   a reduction is an array of elements of one datatype and is cut between elements. Blocks lie in the application's
 *   buffers or, with the same datatype, in scratch slots, so that PMPI_Reduce_local gets the handles that the application
 *   gave.
 *
 * An exchange is a Sendrecv. MPI takes small blocks off a rank's hands before they are wanted (the eager protocol), so a
 * rank that waits for nobody, as the root of a broadcast or a leaf that sends up, would be done with its steps before others
 * began theirs. Unless the ranks form a line, messages that the schedule has one after the other would then share a port, and
 * blocks that are due queue behind those that are not. Hence a rank waits for a receiver after each WINDOW bytes, by a
 * synchronous send. Schedules are free of deadlock if every send is like that (schedule.h), so any of them may be; ranks need
 * not agree on it. In scripts/lab a doubly-pipelined scan takes 3.9 beta m without, 3.05 with it.
 */
#include "run.h"

#include "typemap.h"

#include <string.h>

enum { STAGES = 2, ALIGN = 64 };

/*
 * Bytes, to whomever: a rank that has got so far ahead waits for the next of its receivers. (In scripts/lab, at 100 to 1000
 * Mbit/s, counting for each receiver alone was not better, and 16 and 64 KiB were much the same.)
 */
enum { WINDOW = 32 << 10 };

struct run {
    const struct view *view;
    struct comm *comm;
    int tag;
    struct cut cut;
    int64_t size;        /* bytes of data in a unit of the cut: a broadcast's byte, a reduction's element */
    bool chained;        /* see struct service */
    int64_t ahead;       /* bytes sent since the last synchronous send */
    const int *order;    /* the rank at each place in the schedule; NULL: they are the same */
    bool bytes;          /* a broadcast */
    struct typemap *map; /* of the whole message; NULL for gapless predefined types */
    bool gapless;        /* the message is one stretch of memory, in order */
    /* broadcast */
    char *stream;         /* the data, if gapless */
    char *stage[STAGES];  /* packed blocks, else */
    int64_t held[STAGES]; /* which block each stage holds; -1: none */
    /* reduction */
    ptrdiff_t extent;  /* of an element */
    char *slot[SLOTS]; /* IN, OUT: element 0 of the message; scratch: element 0 of the block that lies there */
};

/* One end of an exchange. */
struct buffer {
    void *at;
    int count;
    MPI_Datatype type;
};

static int64_t align(int64_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static struct cut cut_of(const struct plan *plan, const struct facts *f)
{
    return (struct cut){.units = f->units, .blocks = plan->blocks, .trees = plan->engine->trees};
}

int64_t run_scratch_agreed(const struct plan *plan, const struct facts *f)
{
    struct cut cut = cut_of(plan, f);
    int64_t unit = f->bytes / f->units, copy = plan->engine->serves[f->collective].executor.keeps_input ? f->bytes : 0;
    int64_t blocks = f->collective == COLL_BCAST ? STAGES : plan->engine->scratch;
    return blocks * align(cut_largest(&cut) * unit) + align(copy);
}

int64_t run_scratch(const struct plan *plan, const struct facts *f, const struct view *v)
{
    struct cut cut = cut_of(plan, f);
    ptrdiff_t origin;
    if (f->collective == COLL_BCAST) /* some rank may need the stages, so all have them */
        return STAGES * align(cut_largest(&cut));
    int64_t copy =
        plan->engine->serves[f->collective].executor.keeps_input ? align(type_span(v->datatype, f->units, &origin)) : 0;
    return plan->engine->scratch * align(type_span(v->datatype, cut_largest(&cut), &origin)) + copy;
}

/* ---- broadcast ----------------------------------------------------------------------------------------------------- */

static void open_stream(struct run *r)
{
    ptrdiff_t at = 0;
    r->size = 1;
    r->gapless = !r->map || typemap_contiguous(r->map, &at);
    r->stream = displaced(r->view->out, at);
    for (int i = 0; i < STAGES; i++) {
        r->stage[i] = r->comm->scratch + i * align(cut_largest(&r->cut));
        r->held[i] = -1;
    }
}

/* The stage that holds the block, filled from memory if none does. A block just received is still there. */
static int stage_of(struct run *r, int64_t block)
{
    for (int i = 0; i < STAGES; i++)
        if (r->held[i] == block)
            return i;
    typemap_pack(r->map, r->view->out, cut_offset(&r->cut, block), cut_size(&r->cut, block), r->stage[0]);
    r->held[0] = block;
    return 0;
}

/* ---- reduction ----------------------------------------------------------------------------------------------------- */

/* Copies elements first .. first+count-1 of one message to another; `from` and `to` are their elements 0. */
static void move(const struct run *r, const char *from, char *to, int64_t first, int64_t count)
{
    if (r->gapless)
        memcpy(to + first * r->size, from + first * r->size, (size_t)(count * r->size));
    else
        typemap_move(r->map, from, to, first * r->size, count * r->size);
}

static void open_elements(struct run *r, const struct engine *e, enum collective c)
{
    MPI_Count lb, extent = 0, size = 0;
    ptrdiff_t at, origin;
    int64_t bytes = align(type_span(r->view->datatype, cut_largest(&r->cut), &origin));
    pmpi.Type_get_extent_x(r->view->datatype, &lb, &extent);
    pmpi.Type_size_x(r->view->datatype, &size);
    r->extent = (ptrdiff_t)extent;
    r->size = size;
    r->gapless = !r->map || (typemap_contiguous(r->map, &at) && at == 0 && extent == size);
    r->slot[SLOT_IN] = (char *)r->view->in;
    r->slot[SLOT_OUT] = r->view->out;
    for (int i = 0; i < e->scratch; i++)
        r->slot[SLOT_T0 + i] = displaced(r->comm->scratch + i * bytes, origin);
    if (e->serves[c].executor.keeps_input && r->view->in == r->view->out) {
        type_span(r->view->datatype, r->cut.units, &origin);
        r->slot[SLOT_IN] = displaced(r->comm->scratch + e->scratch * bytes, origin);
        move(r, r->view->in, r->slot[SLOT_IN], 0, r->cut.units);
    }
}

/* The first element of a block. */
static char *element(const struct run *r, struct piece p)
{
    return p.slot >= SLOT_T0 ? r->slot[p.slot]
                             : displaced(r->slot[p.slot], (ptrdiff_t)cut_offset(&r->cut, p.block) * r->extent);
}

static void copy(struct run *r, const struct step *x)
{
    int64_t offset = cut_offset(&r->cut, x->a.block), count = cut_size(&r->cut, x->a.block);
    char *a = element(r, x->a), *b = element(r, x->b);
    if (a == b)
        return; /* MPI_IN_PLACE: from IN to OUT */
    /* As element 0 of the message would lie: the typemap is that of the message. */
    move(r, displaced(a, -offset * r->extent), displaced(b, -offset * r->extent), offset, count);
}

static int fold(struct run *r, const struct step *x)
{
    return pmpi.Reduce_local(element(r, x->a), element(r, x->b), (int)cut_size(&r->cut, x->a.block), r->view->datatype,
                             r->view->op);
}

/* ---- both ---------------------------------------------------------------------------------------------------------- */

/* Where a block lies at one end of an exchange; `stage` is for a broadcast's block that is packed. */
static struct buffer end_of(const struct run *r, struct piece p, int stage)
{
    struct buffer b = {.count = (int)cut_size(&r->cut, p.block), .type = r->bytes ? MPI_BYTE : r->view->datatype};
    if (!r->bytes)
        b.at = element(r, p);
    else if (r->gapless)
        b.at = r->stream + cut_offset(&r->cut, p.block);
    else
        b.at = r->stage[stage];
    return b;
}

/* The rank at a place in the schedule. */
static int rank_at(const struct run *r, int place)
{
    return place == NOBODY ? MPI_PROC_NULL : r->order ? r->order[place] : place;
}

/*
 * A Sendrecv whose send is over when its receiver has begun to receive. The receive is not the one to wait for: MPICH's
 * MPI_Wait may take a truncated message to the error handler of MPI_COMM_WORLD.
 */
static int meet(const struct run *r, struct buffer out, int to, struct buffer in, int from, MPI_Status *status)
{
    MPI_Request send;
    int error = pmpi.Issend(out.at, out.count, out.type, to, r->tag, r->comm->ours, &send);
    if (error == MPI_SUCCESS)
        error = pmpi.Recv(in.at, in.count, in.type, from, MPI_ANY_TAG, r->comm->ours, status);
    if (error == MPI_SUCCESS)
        error = pmpi.Wait(&send, MPI_STATUS_IGNORE);
    return error;
}

static int exchange(struct run *r, const struct step *x)
{
    struct buffer out = {.type = MPI_BYTE}, in = {.type = MPI_BYTE};
    bool staged = r->bytes && !r->gapless;
    int sends = staged && x->to != NOBODY ? stage_of(r, x->a.block) : -1, receives = sends == 0;
    if (x->to != NOBODY)
        out = end_of(r, x->a, sends);
    if (x->from != NOBODY)
        in = end_of(r, x->b, receives);
    int to = rank_at(r, x->to), from = rank_at(r, x->from), error;
    MPI_Status status;
    r->ahead += out.count * r->size;
    if (r->ahead >= WINDOW && !r->chained) {
        r->ahead = 0;
        error = meet(r, out, to, in, from, &status);
    } else
        error = pmpi.Sendrecv(out.at, out.count, out.type, to, r->tag, in.at, in.count, in.type, from, MPI_ANY_TAG,
                              r->comm->ours, &status);
    if (error == MPI_SUCCESS && x->from != NOBODY && status.MPI_TAG != r->tag)
        error = MPI_ERR_TRUNCATE;
    if (error == MPI_SUCCESS && staged && x->from != NOBODY) {
        r->held[receives] = x->b.block;
        typemap_unpack(r->map, r->view->out, cut_offset(&r->cut, x->b.block), in.count, r->stage[receives]);
    }
    return error;
}

/*
 * A tag that ranks share only if they mean the same call: a program whose ranks disagree on a message's size, root or
 * operation is to get an error, not blocks of another call. 15 bits, as many as MPI promises.
 */
static int tag_of(const struct plan *plan, const struct facts *f, uint64_t call)
{
    const uint64_t words[] = {call,
                              (uint64_t)f->collective,
                              (uint64_t)f->op,
                              (uint64_t)f->root,
                              (uint64_t)f->bytes,
                              (uint64_t)f->units,
                              (uint64_t)plan->blocks,
                              (uint64_t)engine_row(plan->engine)};
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        h = (h ^ words[i]) * 0x9e3779b97f4a7c15u + 1;
    return (int)(h >> 49);
}

/* Types whose elements lie one behind the other without gaps need no typemap: MPI's own, but for pairs. */
static bool is_plain(MPI_Datatype type)
{
    MPI_Count lb, extent, size;
    if (!type_is_predefined(type))
        return false;
    pmpi.Type_get_extent_x(type, &lb, &extent);
    pmpi.Type_size_x(type, &size);
    return extent == size;
}

int run(const struct plan *plan, const struct facts *f, const struct view *v, struct comm *comm)
{
    struct run r = {.view = v, .comm = comm, .cut = cut_of(plan, f), .bytes = f->collective == COLL_BCAST};
    const struct service *service = &plan->engine->serves[f->collective];
    struct shape shape = choose_shape(f, plan->blocks, plan->group);
    int error = MPI_SUCCESS, place = comm->rank;
    if (plan->by_node) {
        r.order = comm->order;
        place = comm->position[place];
        shape.root = comm->position[shape.root];
    }
    r.chained = service->executor.chained;
    r.tag = tag_of(plan, f, comm->engine_calls++);
    struct schedule schedule;
    struct step x;

    if (run_scratch(plan, f, v) > comm->size || (!is_plain(v->datatype) && !(r.map = typemap_new(v->count, v->datatype))))
        error = MPI_ERR_NO_MEM;
    if (error == MPI_SUCCESS) {
        if (r.bytes)
            open_stream(&r);
        else
            open_elements(&r, plan->engine, f->collective);
        engine_start(plan->engine, &schedule, &shape, place);
        while (error == MPI_SUCCESS && schedule_next(&schedule, &x)) {
            if (x.kind == STEP_EXCHANGE)
                error = exchange(&r, &x);
            else if (x.kind == STEP_FOLD)
                error = fold(&r, &x);
            else
                copy(&r, &x);
        }
    }
    typemap_free(r.map);
    /* The first step is behind us, there is no way back: the application hears of it as of any error. */
    if (error != MPI_SUCCESS)
        pmpi.Comm_call_errhandler(comm->user, error);
    return error;
}
