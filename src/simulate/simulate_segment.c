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

enum { COUNTER_OUT, COUNTER_GATHERED, COUNTERS };

struct actor {
    struct shape shape;     /* of its current call */
    int node, first, ranks; /* its node, whose ranks are first .. first+ranks-1 */
    bool sent, received;    /* the legs of its exchange that are done */
    struct walk walk;
    struct step step; /* the next one */
    bool has_step, done;
    int call;              /* index of its current call */
    int64_t base;          /* number of its current call's first round */
    int64_t *clock;        /* for each rank: number of its steps that come before this actor's next step */
    int64_t time;          /* blocks on the longest chain up to its next step */
    double moved;          /* its loads and stores, in multiples of the message */
    struct sim_value *own; /* IN blocks, OUT blocks */
    struct counter counter[COUNTERS];
};

/* A spot, and the turns and the note of the round that begins there. The ranks that await a turn read the note. */
struct spot {
    struct used_cell cell, note;
    struct counter turn;
};

struct segment_world {
    const struct segment_call *calls;
    int count, spots, group, ranks;
    const struct node_list *nodes; /* NULL: all ranks are on one node */
    struct actor *actor;
    struct spot *spot; /* [rank][spots] */
    uint64_t *weights;
    struct verdict *v;
};

static const struct shape *shape_of(const struct segment_world *w, int rank)
{
    return &w->actor[rank].shape;
}

/* The rank's number on its node. */
static int local(const struct segment_world *w, int rank)
{
    return rank - w->actor[rank].first;
}

/* The rank's number in its shape. */
static int number_in_shape(const struct segment_world *w, int rank)
{
    return shape_of(w, rank)->ports.ranks ? w->actor[rank].node : local(w, rank);
}

/* With ports, IN and OUT have one block, by whatever number. */
static int64_t block_in(const struct shape *s, int slot, int64_t block)
{
    return s->ports.ranks && slot < SLOTS ? 0 : block;
}

/* The spots that a round of the rank's current call takes. */
static int64_t width_of(const struct segment_world *w, int rank)
{
    return w->calls[w->actor[rank].call].width;
}

/* The number of a round of the rank's current call. */
static int64_t number_of(const struct segment_world *w, int rank, int64_t round)
{
    return w->actor[rank].base + round * width_of(w, rank);
}

static struct spot *spot_of(const struct segment_world *w, int rank, int64_t number)
{
    return &w->spot[rank * w->spots + number % w->spots];
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

static bool publish(struct segment_world *w, int rank, struct counter *c, int64_t value)
{
    struct actor *a = &w->actor[rank];
    const int64_t now = counter_now(c);
    if (value <= now)
        return object(w, rank, "a counter goes from %lld to %lld", (long long)now, (long long)value);
    return counter_add(c, value, a->time, a->clock, w->ranks) || lack_memory(w);
}

/* Takes over the clock of the first value that suffices. Returns false if there is none yet. */
static bool learn(struct segment_world *w, int rank, const struct counter *c, int64_t value)
{
    struct actor *a = &w->actor[rank];
    const int first = counter_first(c, value);
    if (first == c->count)
        return false;
    clock_join(a->clock, counter_clock(c, first, w->ranks), w->ranks);
    if (a->time < c->time[first])
        a->time = c->time[first];
    return true;
}

static bool told(const struct segment_world *w, int of, int64_t number, int turn)
{
    return counter_now(&spot_of(w, of, number)->turn) >= number * TURNS + turn;
}

/* Takes over the clock of a turn that rank `of` has told, and reads the note. */
static bool learn_turn(struct segment_world *w, int rank, int of, int64_t number, int turn)
{
    struct spot *spot = spot_of(w, of, number);
    learn(w, rank, &spot->turn, number * TURNS + turn);
    cell_read(&spot->note, 0, rank, w->actor[rank].clock);
    return spot->note.round == number ||
           object(w, rank, "reads a note of round %lld, not %lld", (long long)spot->note.round, (long long)number);
}

static bool tell_turn(struct segment_world *w, int rank, int64_t number, int turn)
{
    struct spot *spot = spot_of(w, rank, number);
    const int64_t *clock = w->actor[rank].clock;
    if (w->ranks < SEGMENT_TURNS && turn >= SEGMENT_TURNS)
        return object(w, rank, "tells turn %d, of which a round has none", turn);
    if (spot->note.round < number) {
        cell_begin_round(&spot->note, number);
        const int reader = cell_user(&spot->note, 0, rank, clock);
        if (reader != NOBODY)
            return object(w, rank, "overwrites its note in round %lld while rank %d reads it", (long long)number, reader);
    }
    cell_write(&spot->note, 0, rank, clock);
    return publish(w, rank, &spot->turn, number * TURNS + turn);
}

static bool gathers(const struct segment_world *w, int rank)
{
    return w->group > 1 && local(w, rank) % w->group == 0;
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
    const int end = a->first + a->ranks, after = rank + w->group < end ? rank + w->group : end;
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
static bool learn_free(struct segment_world *w, int rank, int reader, int64_t number)
{
    const int64_t enough = number + width_of(w, rank) - w->spots;
    if (enough <= 0)
        return true;
    const int first = w->actor[rank].first, end = first + w->actor[rank].ranks;
    if (reader != NOBODY && number - w->spots >= w->actor[rank].base)
        return learn(w, rank, &w->actor[first + reader].counter[COUNTER_OUT], enough);
    for (int of = first; of < end;) {
        const struct counter *counter = w->actor[of].counter;
        const bool whole = gathers(w, of) && learn(w, rank, &counter[COUNTER_GATHERED], enough);
        if (!whole && !learn(w, rank, &counter[COUNTER_OUT], enough))
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

/* Notes that the rank uses a spot. Returns the value of place i there; NULL if the access is illegal, such as a race. */
static struct sim_value *access_spot(struct segment_world *w, int rank, struct used_cell *c, int64_t i, int64_t number,
                                     bool writes, const char *name)
{
    const int64_t *clock = w->actor[rank].clock;
    if (c->round < number && writes)
        cell_begin_round(c, number);
    if (c->round != number)
        return object(w, rank, "%s has round %lld, not %lld", name, (long long)c->round, (long long)number), NULL;
    const int user = writes ? cell_user(c, i, rank, clock) : NOBODY, writer = cell_writer(c, i, rank, clock);
    if (user != NOBODY)
        return object(w, rank, "overwrites %s in round %lld while rank %d uses it", name, (long long)number, user), NULL;
    if (writer != NOBODY)
        return object(w, rank, "races with rank %d for %s in round %lld", writer, name, (long long)number), NULL;
    return writes ? cell_write(c, i, rank, clock) : cell_read(c, i, rank, clock);
}

/* The value of a block in a slot; NULL if the access is illegal. In a cell, the block may touch each spot of the cell. */
static struct sim_value *access(struct segment_world *w, int rank, int slot, int64_t block, bool writes)
{
    struct actor *a = &w->actor[rank];
    const int64_t round = a->step.kind == STEP_EXCHANGE ? 0 : a->step.when;
    const struct shape *s = shape_of(w, rank);
    if (slot < SLOTS)
        return slot == SLOT_IN || slot == SLOT_OUT ? &a->own[slot * s->blocks + block_in(s, slot, block)] : NULL;
    const int64_t number = number_of(w, rank, round), i = place_of(w, rank, round, block);
    struct sim_value *value = NULL;
    char name[SLOT_TEXT];
    slot_name(slot, name);
    if (i < 0 || i >= shape_wide(s))
        return object(w, rank, "%s has no block %lld", name, (long long)block), NULL;
    if (number % w->spots + width_of(w, rank) > w->spots)
        return object(w, rank, "%s goes around the end of the ring", name), NULL;
    for (int cell = shape_halves(s); cell >= 0; cell--)
        for (int64_t k = width_of(w, rank) - 1; k >= 0; k--) { /* the value lies in the first spot of the first cell */
            struct used_cell *spot = &spot_of(w, a->first + (slot - SLOTS + cell) % a->ranks, number + k)->cell;
            if (!(value = access_spot(w, rank, spot, i, number, writes, name)))
                return NULL;
        }
    return value;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------ */

/*
 * The only reader of a block may also write to the place of the block (src/run/cells.c). So its read must be ordered like a
 * write.
 */
static const struct sim_value *reading(struct segment_world *w, int rank, int slot, int64_t block)
{
    const struct sim_value *x = access(w, rank, slot, block, false);
    if (!x || !x->set || x->tag != block_in(shape_of(w, rank), slot, block)) {
        if (!*w->v->why)
            object(w, rank, "%s does not hold block %lld", slot_name(slot, (char[SLOT_TEXT]){0}), (long long)block);
        return NULL;
    }
    return slot < SLOTS || !w->actor[rank].walk.schedule.one_reader || access(w, rank, slot, block, true) ? x : NULL;
}

static bool is_aliased(const struct segment_world *w, int rank, int64_t block)
{
    const struct segment_call *call = &w->calls[w->actor[rank].call];
    const struct shape *s = shape_of(w, rank);
    const bool has = !s->ports.ranks || s->ports.self == s->reader;
    return call->in_place && has && collective_in_place(s->collective, number_in_shape(w, rank), shape_root(s, block));
}

static bool writing(struct segment_world *w, int rank, int slot, int64_t block, struct sim_value value)
{
    const struct shape *s = shape_of(w, rank);
    if (slot == SLOT_IN || (slot == SLOT_OUT && !shape_writes(s, number_in_shape(w, rank), block)))
        return object(w, rank, "writes %s", slot_name(slot, (char[SLOT_TEXT]){0}));
    struct sim_value *x = access(w, rank, slot, block, true);
    if (!x)
        return false;
    *x = value;
    x->tag = block_in(s, slot, block);
    if (slot == SLOT_OUT && is_aliased(w, rank, block))
        w->actor[rank].own[x->tag].set = false;
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

/* ---- exchanges -------------------------------------------------------------------------------------------------------- */

/* The rank of a node that exchanges messages with this rank. */
static int peer_of(const struct segment_world *w, int rank, int node)
{
    return w->nodes->first[node] + local(w, rank);
}

/*
 * Moves a message if both ends have come to it. The receiver writes by what it knows before; then it knows what the sender
 * knew. The sender learns nothing, as its message may be buffered.
 */
static bool transfer(struct segment_world *w, int from, int to)
{
    struct actor *a = &w->actor[from], *b = &w->actor[to];
    const struct step *x = &a->step, *y = &b->step;
    const bool posted = a->has_step && b->has_step && x->kind == STEP_EXCHANGE && y->kind == STEP_EXCHANGE;
    if (!posted || a->call != b->call || x->when != y->when || x->to != b->node || y->from != a->node)
        return true;
    if (x->a.more != y->b.more)
        return object(w, to, "receives %lld blocks and gets %lld", (long long)y->b.more + 1, (long long)x->a.more + 1);
    for (int64_t i = 0; i <= x->a.more; i++) {
        const struct sim_value *value = reading(w, from, x->a.slot, x->a.block + i);
        if (!value || !writing(w, to, y->b.slot, y->b.block + i, *value))
            return false;
    }
    clock_join(b->clock, a->clock, w->ranks);
    b->time = b->time > a->time ? b->time : a->time;
    a->sent = b->received = true;
    return true;
}

/* Does what perform() does, for an exchange. */
static bool exchange(struct segment_world *w, int rank, const struct step *x, bool *waits)
{
    struct actor *a = &w->actor[rank];
    if (x->to != NOBODY && !a->sent && !transfer(w, rank, peer_of(w, rank, x->to)))
        return false;
    if (x->from != NOBODY && !a->received && !transfer(w, peer_of(w, rank, x->from), rank))
        return false;
    *waits = (x->to != NOBODY && !a->sent) || (x->from != NOBODY && !a->received);
    if (!*waits)
        a->sent = a->received = false;
    return true;
}

/* Takes the rank's step, or sets *waits if the rank must wait before it. */
static bool perform(struct segment_world *w, int rank, bool *waits)
{
    struct actor *a = &w->actor[rank];
    const struct step *x = &a->step;
    const int64_t number = number_of(w, rank, x->when);
    *waits = false;
    switch (x->kind) {
    case STEP_FOLD:
    case STEP_COPY:
    case STEP_FOLD_INTO:
        return act(w, rank, x);
    case STEP_AWAIT:
        *waits = !told(w, a->first + x->from, number, x->turn);
        return *waits || learn_turn(w, rank, a->first + x->from, number, x->turn);
    case STEP_AWAIT_ALL:
        for (int of = a->first; of < a->first + a->ranks; of++)
            *waits = *waits || !told(w, of, number, x->turn);
        for (int of = a->first; of < a->first + a->ranks && !*waits; of++)
            if (!learn_turn(w, rank, of, number, x->turn))
                return false;
        return true;
    case STEP_AWAIT_FREE:
        *waits = !learn_free(w, rank, x->from, number);
        return true;
    case STEP_TELL:
        return tell_turn(w, rank, number, x->turn);
    case STEP_LEAVE:
        if (counter_now(&a->counter[COUNTER_OUT]) != number)
            return object(w, rank, "leaves round %lld before the previous round", (long long)number);
        if (!publish(w, rank, &a->counter[COUNTER_OUT], number + width_of(w, rank)))
            return false;
        return !gathers(w, rank) || (number + width_of(w, rank)) % (w->spots / 2) != 0 || gather(w, rank);
    default:
        return w->nodes ? exchange(w, rank, x, waits) : object(w, rank, "exchanges messages");
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

/* Begins a call. The rank leaves the spots up to the first one that a round of the call may have. */
static bool begin_call(struct segment_world *w, int rank)
{
    struct actor *a = &w->actor[rank];
    const struct segment_call *call = &w->calls[a->call];
    const struct shape *s = &a->shape;
    a->shape = call->shape[a->node];
    a->shape.ports.self = local(w, rank);
    const int number = number_in_shape(w, rank);
    const bool has = !s->ports.ranks || s->ports.self == s->reader;
    const int64_t base = ceil_div(a->base, call->width) * call->width;
    if (base > a->base && !publish(w, rank, &a->counter[COUNTER_OUT], base))
        return false;
    a->base = base;
    memset(a->own, 0, 2 * (size_t)s->blocks * sizeof *a->own);
    for (int64_t j = 0; j < s->blocks && has; j++)
        if (collective_reduces(s->collective)) {
            a->own[j] = sim_operand(number);
            a->own[j].tag = j;
        } else if (collective_source(s->collective, number, shape_root(s, j)))
            a->own[s->blocks + j] = sim_block(j);
    call->generator->start(call->generator->self, &a->walk, s, number);
    return true;
}

static bool end_call(struct segment_world *w, int rank)
{
    struct actor *a = &w->actor[rank];
    const struct shape *s = shape_of(w, rank);
    a->base = number_of(w, rank, a->walk.schedule.rounds);
    if (counter_now(&a->counter[COUNTER_OUT]) != a->base)
        return object(w, rank, "has not left all rounds");
    for (int64_t j = 0; j < (s->ports.ranks ? 1 : s->blocks); j++)
        if (!sim_right(s, w->weights, number_in_shape(w, rank), j, &a->own[s->blocks + j]))
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
            if (!a->done && !begin_call(w, rank))
                return false;
            *moved = true;
            continue;
        }
        a->has_step = true;
        if (!perform(w, rank, &waits))
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
        if (!begin_call(w, r))
            return false;
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < w->ranks; r++)
            if (!run(w, r, &moved))
                return false;
    }
    for (int r = 0; r < w->ranks; r++) {
        const struct actor *a = &w->actor[r];
        if (!a->done)
            return object(w, r, "deadlock in round %lld (waits for %d, turn %d)", (long long)number_of(w, r, a->step.when),
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
    const size_t p = (size_t)w->ranks, spots = p * (size_t)w->spots;
    int64_t blocks = 1, wide = 1; /* wide: most places in a cell */
    for (int i = 0; i < w->count; i++) {
        const struct shape *s = w->calls[i].shape; /* those of all nodes have as many blocks */
        wide = wide > shape_wide(s) ? wide : shape_wide(s);
        blocks = blocks > s->blocks ? blocks : s->blocks;
    }
    bool have = (w->weights = sim_weights(w->ranks)) && (w->actor = calloc(p, sizeof *w->actor)) &&
                (w->spot = calloc(spots, sizeof *w->spot));
    for (size_t i = 0; have && i < p; i++)
        have = (w->actor[i].clock = calloc(p, sizeof(int64_t))) &&
               (w->actor[i].own = calloc(2 * (size_t)blocks, sizeof(struct sim_value)));
    for (size_t i = 0; have && i < spots; i++)
        have = cell_make(&w->spot[i].cell, w->ranks, wide) && cell_make(&w->spot[i].note, w->ranks, 1);
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
    for (int i = 0; w->spot && i < w->ranks * w->spots; i++) {
        cell_drop(&w->spot[i].cell);
        cell_drop(&w->spot[i].note);
        counter_drop(&w->spot[i].turn);
    }
    free(w->actor);
    free(w->spot);
    free(w->weights);
}

static void place_ranks(struct segment_world *w)
{
    for (int r = 0; r < w->ranks; r++) {
        struct actor *a = &w->actor[r];
        a->ranks = w->ranks;
        while (w->nodes && w->nodes->first[a->node + 1] <= r)
            a->node++;
        if (w->nodes) {
            a->first = w->nodes->first[a->node];
            a->ranks = w->nodes->first[a->node + 1] - a->first;
        }
    }
}

static bool simulate_world(struct segment_world *w)
{
    *w->v = (struct verdict){0};
    const bool have = build(w);
    if (have)
        place_ranks(w);
    w->v->ok = have ? run_all(w) : lack_memory(w);
    drop(w);
    return w->v->ok;
}

bool simulate_segment(const struct segment_call *calls, int count, int spots, int group, struct verdict *v)
{
    return simulate_world(&(struct segment_world){
        .calls = calls, .count = count, .spots = spots, .group = group, .ranks = calls[0].shape->ranks, .v = v});
}

bool simulate_segments(const struct segment_call *calls, int count, int spots, int group, const struct node_list *nodes,
                       struct verdict *v)
{
    return simulate_world(&(struct segment_world){
        .calls = calls, .count = count, .spots = spots, .group = group, .ranks = nodes->ranks, .nodes = nodes, .v = v});
}
