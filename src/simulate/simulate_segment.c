/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator of operations that go through a segment; see simulate.h. */
#include "simulate.h"

#include "block_value.h"
#include "cell.h"
#include "cut.h"
#include "segment_cell.h"
#include "segment_counter.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 1 << 20 }; /* more turns than a round has, even among more ranks than a real segment may have */

enum { COUNTER_TURN, COUNTER_OUT, COUNTER_GATHERED, COUNTERS };

struct actor {
    struct walk walk;
    struct step step; /* the next one */
    bool has_step, done;
    int call;              /* index of its current call */
    int64_t base;          /* rounds of its earlier calls */
    int64_t *clock;        /* for each rank: number of its steps that come before this actor's next step */
    int64_t time;          /* blocks on the longest chain up to its next step */
    double moved;          /* its loads and stores, in multiples of the message */
    struct sim_value *own; /* IN blocks, OUT blocks */
    struct counter counter[COUNTERS];
};

struct segment_world {
    const struct segment_call *calls;
    int count, depth, group, ranks;
    struct actor *actor;
    struct used_cell *cell; /* [rank][depth] */
    uint64_t *weights;
    struct verdict *v;
};

static const struct shape *shape_of(const struct segment_world *w, int rank)
{
    return w->calls[w->actor[rank].call].shape;
}

static bool object(struct segment_world *w, int rank, const char *format, ...)
{
    int used = snprintf(w->v->why, sizeof w->v->why, "rank %d, call %d: ", rank, w->actor[rank].call);
    va_list ap;
    va_start(ap, format);
    vsnprintf(w->v->why + used, sizeof w->v->why - (size_t)used, format, ap);
    va_end(ap);
    return false;
}

static bool lack_memory(struct segment_world *w)
{
    snprintf(w->v->why, sizeof w->v->why, "not enough memory to simulate");
    return false;
}

/* ---- counters --------------------------------------------------------------------------------------------------------- */

static bool publish(struct segment_world *w, int rank, int which, int64_t value)
{
    struct actor *a = &w->actor[rank];
    struct counter *c = &a->counter[which];
    const int64_t now = counter_now(c);
    if (value <= now)
        return object(w, rank, "a counter goes from %lld to %lld", (long long)now, (long long)value);
    return counter_add(c, value, a->time, a->clock, w->ranks) || lack_memory(w);
}

/* Takes over the clock of the first value that suffices. Returns false if there is none yet. */
static bool learn(struct segment_world *w, int rank, int of, int which, int64_t value)
{
    struct actor *a = &w->actor[rank];
    const struct counter *c = &w->actor[of].counter[which];
    const int first = counter_first(c, value);
    if (first == c->count)
        return false;
    clock_join(a->clock, counter_clock(c, first, w->ranks), w->ranks);
    if (a->time < c->time[first])
        a->time = c->time[first];
    return true;
}

static bool learn_turns(struct segment_world *w, int rank, int64_t turn)
{
    for (int of = 0; of < w->ranks; of++)
        if (counter_now(&w->actor[of].counter[COUNTER_TURN]) < turn)
            return false;
    for (int of = 0; of < w->ranks; of++)
        learn(w, rank, of, COUNTER_TURN, turn);
    return true;
}

static bool gathers(const struct segment_world *w, int rank)
{
    return w->group > 1 && rank % w->group == 0;
}

/*
 * Publishes the least `out` of the rank's group, with the clocks that the group's counters had when they reached that value.
 * The rank's own clock does not change: if the ranks ran in another order, the rank would see less. Returns false if memory
 * is short.
 */
static bool gather(struct segment_world *w, int rank)
{
    struct actor *a = &w->actor[rank];
    struct counter *c = &a->counter[COUNTER_GATHERED];
    const int after = rank + w->group < w->ranks ? rank + w->group : w->ranks;
    int64_t least = INT64_MAX;
    for (int r = rank; r < after; r++) {
        const int64_t out = counter_now(&w->actor[r].counter[COUNTER_OUT]);
        least = out < least ? out : least;
    }
    if (least == counter_now(c))
        return true;
    if (!counter_add(c, least, a->time, a->clock, w->ranks))
        return lack_memory(w);
    int64_t *clock = counter_clock(c, c->count - 1, w->ranks);
    for (int r = rank; r < after; r++) {
        const struct counter *out = &w->actor[r].counter[COUNTER_OUT];
        clock_join(clock, counter_clock(out, counter_first(out, least), w->ranks), w->ranks);
    }
    return true;
}

/*
 * Stands for await_free() of src/run/rounds.c and, if `reader` is a rank, for await_reader(). Even if it returns false, the
 * rank may have learned from other ranks.
 */
static bool learn_free(struct segment_world *w, int rank, int reader, int64_t rounds)
{
    if (reader != NOBODY)
        return learn(w, rank, reader, COUNTER_OUT, rounds);
    for (int of = 0; of < w->ranks;) {
        const bool whole = gathers(w, of) && learn(w, rank, of, COUNTER_GATHERED, rounds);
        if (!whole && !learn(w, rank, of, COUNTER_OUT, rounds))
            return false;
        of += whole ? w->group : 1;
    }
    return true;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

/* The place of a block in the cell of its round. Only a cell of slices has several blocks, and these are consecutive. */
static int64_t place_of(const struct segment_world *w, int rank, int64_t round, int64_t block)
{
    const struct schedule *s = &w->actor[rank].walk.schedule;
    return shape_wide(&s->shape) > 1 ? block - part_offset(s->shape.blocks, s->rounds, round) : 0;
}

static struct used_cell *cell_of(struct segment_world *w, int rank, int owner, int64_t round)
{
    return &w->cell[owner * w->depth + (w->actor[rank].base + round) % w->depth];
}

/* The value of a block in a slot; NULL if the access is illegal, such as a race. */
static struct sim_value *access(struct segment_world *w, int rank, int slot, int64_t block, bool writes)
{
    struct actor *a = &w->actor[rank];
    const struct step *x = &a->step;
    const struct shape *s = shape_of(w, rank);
    if (slot < SLOTS)
        return slot == SLOT_IN || slot == SLOT_OUT ? &a->own[slot * s->blocks + block] : NULL;
    struct used_cell *c = cell_of(w, rank, slot - SLOTS, x->when);
    const int64_t round = a->base + x->when, i = place_of(w, rank, x->when, block);
    char name[SLOT_TEXT];
    if (i < 0 || i >= shape_wide(s))
        return object(w, rank, "%s has no block %lld", slot_name(slot, name), (long long)block), NULL;
    if (c->round < round && writes)
        cell_take(c, round);
    if (c->round != round)
        return object(w, rank, "%s has round %lld, not %lld", slot_name(slot, name), (long long)c->round, (long long)round),
               NULL;
    const int user = writes ? cell_user(c, i, rank, a->clock) : NOBODY, writer = cell_writer(c, i, rank, a->clock);
    if (user != NOBODY)
        return object(w, rank, "overwrites %s in round %lld while rank %d uses it", slot_name(slot, name), (long long)round,
                      user),
               NULL;
    if (writer != NOBODY)
        return object(w, rank, "races with rank %d for block %lld in %s", writer, (long long)block, slot_name(slot, name)),
               NULL;
    return writes ? cell_write(c, i, rank, a->clock) : cell_read(c, i, rank, a->clock);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------ */

/*
 * The only reader of a block may also write to the place of the block (src/run/cells.c). So its read must be ordered like a
 * write.
 */
static const struct sim_value *reading(struct segment_world *w, int rank, int slot, int64_t block)
{
    const struct sim_value *x = access(w, rank, slot, block, false);
    if (!x || !x->set || x->tag != block) {
        if (!*w->v->why)
            object(w, rank, "%s does not hold block %lld", slot_name(slot, (char[SLOT_TEXT]){0}), (long long)block);
        return NULL;
    }
    return slot < SLOTS || !w->actor[rank].walk.schedule.one_reader || access(w, rank, slot, block, true) ? x : NULL;
}

static bool is_aliased(const struct segment_world *w, int rank, int64_t block)
{
    const struct segment_call *call = &w->calls[w->actor[rank].call];
    return call->in_place && collective_in_place(call->shape->collective, rank, shape_root(call->shape, block));
}

static bool writing(struct segment_world *w, int rank, int slot, int64_t block, struct sim_value value)
{
    const struct shape *s = shape_of(w, rank);
    if (slot == SLOT_IN || (slot == SLOT_OUT && !shape_writes(s, rank, block)))
        return object(w, rank, "writes %s", slot_name(slot, (char[SLOT_TEXT]){0}));
    struct sim_value *x = access(w, rank, slot, block, true);
    if (!x)
        return false;
    *x = value;
    x->tag = block;
    if (slot == SLOT_OUT && is_aliased(w, rank, block))
        w->actor[rank].own[block].set = false;
    return true;
}

static bool act_on(struct segment_world *w, int rank, const struct step *x, int64_t block)
{
    const struct sim_value *a = reading(w, rank, x->a.slot, block);
    if (!a)
        return false;
    struct sim_value result = *a;
    const bool same = x->a.slot == SLOT_IN && x->b.slot == SLOT_OUT && is_aliased(w, rank, block);
    if (x->kind == STEP_COPY) {
        if (!same)
            return writing(w, rank, x->b.slot, block, result);
        *access(w, rank, SLOT_OUT, block, true) = result; /* IN stays valid until OUT changes */
        return true;
    }
    const struct sim_value *b = reading(w, rank, x->b.slot, block);
    if (!b)
        return false;
    result = *b;
    if (!sim_fold(shape_of(w, rank), a, &result))
        return object(w, rank, "folds [%lld..%lld] with [%lld..%lld]", (long long)a->lo, (long long)a->hi, (long long)b->lo,
                      (long long)b->hi);
    if (x->kind == STEP_FOLD)
        return writing(w, rank, x->b.slot, block, result);
    if (x->b.slot >= SLOTS) {
        struct sim_value *lost = access(w, rank, x->b.slot, block, true);
        if (!lost)
            return false;
        lost->set = false;
    }
    return writing(w, rank, x->into, block, result);
}

static bool act(struct segment_world *w, int rank, const struct step *x)
{
    const int64_t blocks = x->a.more + 1;
    if (x->a.block != x->b.block || x->a.more != x->b.more)
        return object(w, rank, "acts on block %lld and block %lld", (long long)x->a.block, (long long)x->b.block);
    for (int64_t i = 0; i < blocks; i++)
        if (!act_on(w, rank, x, x->a.block + i))
            return false;
    const bool nothing =
        is_aliased(w, rank, x->a.block) && x->a.slot + x->b.slot == SLOT_IN + SLOT_OUT && x->kind == STEP_COPY;
    w->actor[rank].time += nothing ? 0 : blocks;
    w->actor[rank].moved +=
        nothing ? 0 : (x->kind == STEP_COPY ? 2 : 3) * (double)blocks / (double)shape_of(w, rank)->blocks;
    return true;
}

/* Takes the rank's step, or sets *waits if the rank must wait before it. */
static bool take(struct segment_world *w, int rank, bool *waits)
{
    struct actor *a = &w->actor[rank];
    const struct step *x = &a->step;
    const int64_t round = a->base + x->when;
    *waits = false;
    switch (x->kind) {
    case STEP_FOLD:
    case STEP_COPY:
    case STEP_FOLD_INTO:
        return act(w, rank, x);
    case STEP_AWAIT:
        *waits = !learn(w, rank, x->from, COUNTER_TURN, round * TURNS + x->turn);
        return true;
    case STEP_AWAIT_ALL:
        *waits = !learn_turns(w, rank, round * TURNS + x->turn);
        return true;
    case STEP_AWAIT_FREE:
        *waits = round >= w->depth && !learn_free(w, rank, x->from, round - w->depth + 1);
        return true;
    case STEP_TELL:
        if (w->ranks < SEGMENT_TURNS && x->turn >= SEGMENT_TURNS)
            return object(w, rank, "tells turn %lld, of which a round has none", (long long)x->turn);
        return publish(w, rank, COUNTER_TURN, round * TURNS + x->turn);
    case STEP_LEAVE:
        if (counter_now(&a->counter[COUNTER_OUT]) != round)
            return object(w, rank, "leaves round %lld before the previous round", (long long)round);
        if (!publish(w, rank, COUNTER_OUT, round + 1))
            return false;
        return !gathers(w, rank) || (round + 1) % (w->depth / 2) != 0 || gather(w, rank);
    default:
        return object(w, rank, "exchanges messages");
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static void begin_call(struct segment_world *w, int rank)
{
    struct actor *a = &w->actor[rank];
    const struct segment_call *call = &w->calls[a->call];
    const struct shape *s = call->shape;
    memset(a->own, 0, 2 * (size_t)s->blocks * sizeof *a->own);
    for (int64_t j = 0; j < s->blocks; j++)
        if (collective_reduces(s->collective)) {
            a->own[j] = sim_operand(rank);
            a->own[j].tag = j;
        } else if (collective_source(s->collective, rank, shape_root(s, j)))
            a->own[s->blocks + j] = sim_block(j);
    call->generator->start(call->generator->self, &a->walk, s, rank);
}

static bool end_call(struct segment_world *w, int rank)
{
    struct actor *a = &w->actor[rank];
    const struct shape *s = shape_of(w, rank);
    a->base += a->walk.schedule.rounds;
    if (counter_now(&a->counter[COUNTER_OUT]) != a->base)
        return object(w, rank, "has not left all rounds");
    for (int64_t j = 0; j < s->blocks; j++)
        if (!sim_right(s, w->weights, rank, j, &a->own[s->blocks + j]))
            return object(w, rank, "block %lld of the result is wrong", (long long)j);
    return true;
}

/* Runs a rank until it waits, or is done with all calls. Sets *moved if it has taken a step. */
static bool run(struct segment_world *w, int rank, bool *moved)
{
    struct actor *a = &w->actor[rank];
    while (!a->done) {
        const struct generator *g = w->calls[a->call].generator;
        bool waits;
        if (!a->has_step && !g->next(g->self, &a->walk, &a->step, rank)) {
            if (!end_call(w, rank))
                return false;
            a->done = ++a->call == w->count;
            if (!a->done)
                begin_call(w, rank);
            *moved = true;
            continue;
        }
        a->has_step = true;
        if (!take(w, rank, &waits))
            return false;
        if (waits)
            return true;
        a->clock[rank]++;
        a->has_step = false;
        *moved = true;
    }
    return true;
}

static bool run_all(struct segment_world *w)
{
    for (int r = 0; r < w->ranks; r++)
        begin_call(w, r);
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < w->ranks; r++)
            if (!run(w, r, &moved))
                return false;
    }
    for (int r = 0; r < w->ranks; r++) {
        const struct actor *a = &w->actor[r];
        if (!a->done)
            return object(w, r, "deadlock in round %lld (waits for %d, turn %d)", (long long)(a->base + a->step.when),
                          a->step.from, a->step.turn);
        w->v->rounds = w->v->rounds > a->time ? w->v->rounds : a->time;
        w->v->moved += a->moved;
        w->v->busiest = w->v->busiest > a->moved ? w->v->busiest : a->moved;
    }
    return true;
}

/* ---- memory of the simulation ---------------------------------------------------------------------------------------- */

static bool build(struct segment_world *w)
{
    const size_t p = (size_t)w->ranks, cells = p * (size_t)w->depth;
    int64_t blocks = 1, wide = 1; /* wide: most places in a cell */
    for (int i = 0; i < w->count; i++) {
        const struct shape *s = w->calls[i].shape;
        wide = wide > shape_wide(s) ? wide : shape_wide(s);
        blocks = blocks > s->blocks ? blocks : s->blocks;
    }
    bool have = (w->weights = sim_weights(w->ranks)) && (w->actor = calloc(p, sizeof *w->actor)) &&
                (w->cell = calloc(cells, sizeof *w->cell));
    for (size_t i = 0; have && i < p; i++)
        have = (w->actor[i].clock = calloc(p, sizeof(int64_t))) &&
               (w->actor[i].own = calloc(2 * (size_t)blocks, sizeof(struct sim_value)));
    for (size_t i = 0; have && i < cells; i++)
        have = cell_make(&w->cell[i], w->ranks, wide);
    return have;
}

static void drop(struct segment_world *w)
{
    for (int r = 0; w->actor && r < w->ranks; r++) {
        for (int i = 0; i < COUNTERS; i++)
            counter_drop(&w->actor[r].counter[i]);
        free(w->actor[r].clock);
        free(w->actor[r].own);
    }
    for (int i = 0; w->cell && i < w->ranks * w->depth; i++)
        cell_drop(&w->cell[i]);
    free(w->actor);
    free(w->cell);
    free(w->weights);
}

bool simulate_segment(const struct segment_call *calls, int count, int depth, int group, struct verdict *v)
{
    struct segment_world w = {
        .calls = calls, .count = count, .depth = depth, .group = group, .ranks = calls[0].shape->ranks, .v = v};
    *v = (struct verdict){0};
    v->ok = build(&w) ? run_all(&w) : lack_memory(&w);
    drop(&w);
    return v->ok;
}
