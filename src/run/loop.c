/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executor: performs any engine's schedule; see operation.h.
 *
 * An exchange is a Sendrecv. MPI takes small blocks off a rank's hands before the receiver wants them (the eager protocol).
 * So a rank that waits for nobody, such as the root of a broadcast or a leaf that sends up, would finish before others
 * began. Messages that follow each other in the schedule would then share a port, and due blocks would queue behind later
 * ones. Hence a rank waits for a receiver after each WINDOW bytes, by a synchronous send, unless the ranks form a chain.
 * Schedules are free of deadlock even if every send is synchronous (schedule.h), so any send may be, and ranks need not
 * agree on it. In scripts/lab a doubly-pipelined scan takes 3.9 beta m without it, 3.05 with it.
 *
 * An error of one rank travels with the data: so nobody waits for ever, and nobody takes wrong data for a result. A rank
 * that lacks memory, or whose operation fails, goes through its schedule to the end, but its messages are empty and their
 * tags tell of the error. A rank that gets one does likewise.
 *
 * Between sites, waiting for each receiver would cost a round trip for every few blocks: see pending.c.
 */
#include "execution.h"

#include <assert.h>

/*
 * After so many bytes, sent to all receivers together, a rank waits for its next receiver. (In scripts/lab, at 100 to 1000
 * Mbit/s, counting for each receiver alone was not better, and 16 and 64 KiB were much the same.)
 */
enum { WINDOW = 32 << 10 };

/* Not 0. */
static uint64_t meaning_of(const struct operation *o, const struct view *v)
{
    return (o->meaning ^ (uint64_t)v->own_op << 32) | 1;
}

/* A tag that ranks share only if their calls agree. */
static int tag_of(uint64_t meaning, uint64_t call)
{
    return (int)((((meaning ^ call << 1) * 0x9e3779b97f4a7c15u) >> 49) % TAGS);
}

/* May sends to this position be pending? Yes, on another site, but not from bounce buffers, which are used again at once. */
static bool is_far(const struct operation *o, int position)
{
    bool staged = collective_streams(o->facts.collective) && !o->gapless;
    return position != NOBODY && (position < o->near || position >= o->far) && !staged;
}

static int exchange(struct execution *e, const struct step *x, bool stream)
{
    const struct operation *o = e->o;
    const struct channel *c = e->channel;
    struct buffer out = {.type = MPI_BYTE}, in = {.type = MPI_BYTE};
    int to = rank_at(o, x->to), from = rank_at(o, x->from), error;
    MPI_Status status = {.MPI_TAG = e->tag}; /* unless something is received */
    const struct step *ends = x;
    struct step mute;
    if (e->error != MPI_SUCCESS) { /* nothing is sent but the tag */
        mute = *x;
        mute.to = NOBODY;
        ends = &mute;
    }
    if (stream)
        stream_ends(e, ends, &out, &in);
    else
        elements_ends(e, ends, &out, &in);
    e->last = x->when;
    progress_wait(c->progress, x->when, to, from);
    const int64_t bytes = stream ? out.count : out.count * o->element.size;
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
        if (x->from != NOBODY && !is_own(e, status.MPI_TAG)) /* the message may have been too long */
            error = alarm_hear(e, &in, from, &status);
    }
    progress_work(c->progress);
    if (error != MPI_SUCCESS || x->from == NOBODY)
        return error;
    if (status.MPI_TAG & FAILED && e->error == MPI_SUCCESS)
        e->error = MPI_ERR_OTHER;
    if (stream && e->error == MPI_SUCCESS)
        stream_arrived(e, x);
    return MPI_SUCCESS;
}

/* The rules that every engine keeps. */
static inline bool legal(const struct execution *e, const struct step *x)
{
    if (x->kind == STEP_EXCHANGE && x->when <= e->last)
        return false;
    const bool writes = step_acts(x) || (x->kind == STEP_EXCHANGE && x->from != NOBODY);
    const int target = x->kind == STEP_FOLD_INTO ? x->into : x->b.slot;
    return !writes || (target != SLOT_IN &&
                       (target != SLOT_OUT || collective_writes(e->o->shape.collective, e->o->at, e->o->shape.root)));
}

/* The rank's next step: `done` are behind it. It is on the tape, or a cursor puts it into *made. NULL: there is none. */
static inline const struct step *next_step(const struct operation *o, int64_t done, struct cursor *c,
                                           const struct schedule *s, struct step *made)
{
    if (!o->tape)
        return cursor_next(c, s, made) ? made : NULL;
    return done < o->steps ? &o->tape[done] : NULL;
}

/* Sets one field after the other, but for `pending`. What is left belongs to one kind of message, or to rounds. */
static void begin(struct execution *e, const struct operation *o, const struct view *v, struct channel *channel)
{
    assert(channel->bytes >= o->scratch_agreed);
    e->o = o;
    e->view = v;
    e->channel = channel;
    e->meaning = meaning_of(o, v);
    e->rounds = 0;
    e->tag = tag_of(e->meaning, channel->calls++);
    e->lacks = v->error != MPI_SUCCESS || o->scratch > channel->bytes || operation_lacks_map(o);
    e->error = v->error != MPI_SUCCESS ? v->error : e->lacks ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    e->last = -1;
    e->ahead = e->flown = 0;
    e->pending_sends = e->oldest = 0;
}

int operation_run(const struct operation *o, const struct view *v, struct channel *channel)
{
    const bool stream = collective_streams(o->facts.collective);
    struct pending_send pending[PENDING_MOST];
    struct execution e;
    const struct schedule *schedule = o->schedule;
    struct walk walk;
    struct step made;
    const struct step *x;
    int error = MPI_SUCCESS;
    begin(&e, o, v, channel);
    e.pending = pending;
    if (channel->later.meaning)
        error = alarm_recall(&e);
    if (stream)
        stream_open(&e);
    else
        elements_open(&e);
    if (schedule) {
        if (!o->tape)
            cursor_begin(&walk.cursor, schedule);
    } else {
        engine_walk(o->plan.engine, &walk, &o->shape, o->at);
        schedule = &walk.schedule;
    }
    if (schedule->rounds)
        rounds_begin(&e, schedule->one_reader);
    for (int64_t done = 0; error == MPI_SUCCESS && (x = next_step(o, done, &walk.cursor, schedule, &made)); done++) {
        assert(legal(&e, x));
        if (schedule->rounds) {
            error = rounds_step(&e, x);
            continue;
        }
        if (e.pending_sends && (x->kind != STEP_EXCHANGE || x->from != NOBODY))
            error = pending_spare(&e, x->b);
        if (error != MPI_SUCCESS)
            break;
        if (x->kind == STEP_EXCHANGE)
            error = exchange(&e, x, stream);
        else if (e.error == MPI_SUCCESS)
            e.error = elements_act(&e, x);
    }
    if (error == MPI_SUCCESS) /* else nobody may be there to wait for */
        error = pending_end(&e);
    if (schedule->rounds)
        rounds_end(&e, schedule->rounds, error);
    if (error != MPI_SUCCESS)
        alarm_raise(&e, error);
    return error != MPI_SUCCESS ? error : e.error;
}
