/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executor of all engines' schedules.
 *
 * An exchange is a Sendrecv. MPI sends small blocks eagerly, so a rank that only sends would be far ahead, and its later
 * blocks would be in the way of others. Hence after each WINDOW bytes a send is synchronous, unless the ranks form a chain.
 * Schedules are free of deadlock even if all sends are (schedule.h), so each rank may decide this alone.
 *
 * An error travels with the data. A rank that lacks memory or whose fold fails performs all exchanges, but with empty
 * messages whose tags have the bit FAILED. A rank that receives such a tag does the same.
 */
#include "execution.h"
#include "hot.h"
#include "own_memory.h"

#include <assert.h>

/* Bytes to all receivers of its site together. */
enum { WINDOW = 32 << 10 };

static uint64_t meaning_of(const struct operation *o, const struct view *v)
{
    return (o->meaning ^ (uint64_t)v->own_op << 32) | 1;
}

/* Nearly always another one for another call. */
static int tag_of(uint64_t meaning, uint64_t call)
{
    return (int)((((meaning ^ call << 1) * 0x9e3779b97f4a7c15u) >> 49) % TAGS);
}

/* On another site; not from bounce buffers, which the next blocks overwrite, nor from cells. */
static bool is_far(const struct operation *o, int position)
{
    bool staged = (collective_streams(o->facts.collective) && !o->gapless) || o->shape.ports.ranks;
    return position != NOBODY && (position < o->site_first || position >= o->site_end) && !staged;
}

static int exchange(struct execution *e, const struct step *x, bool stream)
{
    const struct operation *o = e->o;
    const struct channel *c = e->channel;
    const bool ports = o->shape.ports.ranks > 0;
    struct buffer out = {.type = MPI_BYTE}, in = {.type = MPI_BYTE};
    int to = rank_at(o, x->to), from = rank_at(o, x->from), error;
    MPI_Status status = {.MPI_TAG = e->tag}; /* stays if nothing is received */
    const struct step *ends = x;
    struct step mute;
    if (e->error != MPI_SUCCESS) { /* empty message; only its tag counts */
        mute = *x;
        mute.to = NOBODY;
        ends = &mute;
    }
    if (ports)
        cells_ends(e, ends, &out, &in);
    else if (stream)
        stream_ends(e, ends, &out, &in);
    else
        elements_ends(e, ends, &out, &in);
    e->last = x->when;
    progress_wait(c->progress, x->when, to, from);
    const int64_t bytes = stream || ports ? out.count : out.count * o->element.size;
    if (is_far(o, x->to)) {
        error = pending_send(e, x->a, &out, bytes, to);
        if (error != MPI_SUCCESS || x->from == NOBODY)
            return error;
        to = MPI_PROC_NULL;
    } else
        e->ahead += bytes;
    const bool meets = e->ahead >= WINDOW && !o->service->executor.chained;
    if (meets)
        e->ahead = 0;
    if (c->progress)
        error = alarm_exchange(e, &out, to, meets, &in, from, &status);
    else {
        const int tag = tag_now(e);
        error = meets ? wire_meet(c->mpi, out.memory, out.count, out.type, to, tag, in.memory, in.count, in.type, from,
                                  MPI_ANY_TAG, c->comm, &status)
                      : c->mpi->Sendrecv(out.memory, out.count, out.type, to, tag, in.memory, in.count, in.type, from,
                                         MPI_ANY_TAG, c->comm, &status);
        if (x->from != NOBODY && !is_own(e, status.MPI_TAG)) /* even if MPI found it too long */
            error = alarm_hear(e, &in, from, &status);
    }
    progress_work(c->progress);
    if (error != MPI_SUCCESS || x->from == NOBODY)
        return error;
    if (status.MPI_TAG & FAILED && e->error == MPI_SUCCESS)
        e->error = MPI_ERR_OTHER;
    if (stream && !ports && e->error == MPI_SUCCESS)
        stream_arrived(e, x);
    return MPI_SUCCESS;
}

/* Exchanges have increasing numbers; no step writes to a wrong buffer. */
static inline bool legal(const struct execution *e, const struct step *x)
{
    if (x->kind == STEP_EXCHANGE && x->when <= e->last)
        return false;
    const bool writes = step_acts(x) || (x->kind == STEP_EXCHANGE && x->from != NOBODY);
    const int target = x->kind == STEP_FOLD_INTO ? x->into : x->b.slot;
    return !writes || (target != SLOT_IN && (target != SLOT_OUT || shape_writes(&e->o->shape, e->o->at, x->b.block)));
}

/* After `done` steps, or NULL: from the tape, or by a cursor into *made. */
static inline const struct step *next_step(const struct operation *o, int64_t done, struct cursor *c,
                                           const struct schedule *s, struct step *made)
{
    if (!o->tape)
        return cursor_next(c, s, made) ? made : NULL;
    return done < o->steps ? &o->tape[done] : NULL;
}

/* Only what every operation reads, for speed. The rest: `pending`, stream_open(), elements_open(), rounds_begin(). */
static void begin(struct execution *e, const struct operation *o, const struct view *v, struct channel *channel,
                  const struct run_of_call *call)
{
    assert(channel->bytes >= o->scratch_agreed);
    e->o = o;
    e->call = call;
    e->view = v;
    e->channel = channel;
    e->meaning = o == call->o ? call->meaning : meaning_of(o, v);
    e->rounds = 0;
    e->tag = tag_of(e->meaning, channel->calls - 1);
    e->lacks = v->error != MPI_SUCCESS || o->scratch > channel->bytes || operation_lacks_map(o);
    e->error = v->error != MPI_SUCCESS ? v->error : e->lacks ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    e->last = -1;
    e->ahead = e->far_ahead = 0;
    e->pending_sends = e->oldest = 0;
}

static inline int step_in_segment(struct execution *e, const struct step *x)
{
    return x->kind == STEP_EXCHANGE ? exchange(e, x, collective_streams(e->o->facts.collective)) : rounds_step(e, x);
}

/* Through a segment. An error if this rank cannot go on. */
static inline int perform_rounds(struct execution *e, const struct schedule *schedule, struct cursor *c)
{
    const struct operation *o = e->o;
    struct step made;
    int error = MPI_SUCCESS;
    if (o->tape)
        for (const struct step *x = o->tape, *const end = x + o->steps; error == MPI_SUCCESS && x < end; x++) {
            assert(legal(e, x));
            error = step_in_segment(e, x);
        }
    else
        while (error == MPI_SUCCESS && cursor_next(c, schedule, &made)) {
            assert(legal(e, &made));
            error = step_in_segment(e, &made);
        }
    return error;
}

static inline int perform_exchanges(struct execution *e, const struct schedule *schedule, struct cursor *c)
{
    const struct operation *o = e->o;
    const bool stream = collective_streams(o->facts.collective);
    struct step made;
    const struct step *x;
    int error = MPI_SUCCESS;
    for (int64_t done = 0; error == MPI_SUCCESS && (x = next_step(o, done, c, schedule, &made)); done++) {
        assert(legal(e, x));
        if (e->pending_sends && (x->kind != STEP_EXCHANGE || x->from != NOBODY))
            error = pending_spare(e, x->b);
        if (error != MPI_SUCCESS)
            break;
        if (x->kind == STEP_EXCHANGE)
            error = exchange(e, x, stream);
        else if (e->error == MPI_SUCCESS)
            e->error = elements_act(e, x);
    }
    return error == MPI_SUCCESS ? pending_end(e) : error;
}

HOT int operation_execute(const struct operation *o, const struct view *v, struct channel *channel,
                          const struct run_of_call *call, int *failed)
{
    struct pending_send pending[PENDING_MOST];
    struct execution e;
    const struct schedule *schedule = o->schedule;
    struct schedule *copy = NULL;
    struct walk *const walk = channel->walk;
    int error = MPI_SUCCESS;
    begin(&e, o, v, channel, call);
    e.pending = pending;
    if (channel->later.meaning)
        error = alarm_recall(&e);
    if (collective_streams(o->facts.collective))
        stream_open(&e);
    else
        elements_open(&e);
    if (schedule) {
        if (!o->tape)
            cursor_begin(&walk->cursor, schedule);
    } else {
        engine_walk(o->plan.engine, walk, &o->shape, o->at);
        if (walk->schedule.children) /* else each message to a child would take a lock */
            copy = schedule_copy(&walk->schedule);
        schedule = copy ? copy : &walk->schedule;
    }
    if (schedule->rounds) {
        rounds_begin(&e, schedule);
        if (error == MPI_SUCCESS)
            error = perform_rounds(&e, schedule, &walk->cursor);
        rounds_end(&e, error);
    } else {
        if (error == MPI_SUCCESS)
            error = perform_exchanges(&e, schedule, &walk->cursor);
        if (error != MPI_SUCCESS)
            pending_drop(&e);
    }
    if (error != MPI_SUCCESS)
        alarm_raise(&e, error);
    own_memory_free(copy);
    *failed = e.error;
    return error;
}

HOT int operation_run(const struct operation *o, const struct view *v, struct channel *channel)
{
    const struct run_of_call call = {.o = o, .meaning = meaning_of(o, v), .rank = o->order ? o->order[o->at] : o->at};
    int failed = MPI_SUCCESS;
    channel->calls++;
    if (operation_has_stages(o))
        return composed_run(o, v, channel, &call);
    const int error = operation_execute(o, v, channel, &call, &failed);
    return error != MPI_SUCCESS ? error : failed;
}
