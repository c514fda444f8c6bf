/* SPDX-License-Identifier: BSD-2-Clause */
/* See simulate.h. */
#include "segment_world.h"

#include "block_value.h"
#include "cell.h"
#include "cut.h"

#include <stdlib.h>
#include <string.h>

/* ---- steps ------------------------------------------------------------------------------------------------------------ */

/* A block's only reader may also write there (src/run/cells.c): its read is ordered like a write. */
static const struct sim_value *reading(struct segment_world *w, int rank, int slot, int64_t block)
{
    const struct sim_value *x = world_access(w, rank, slot, block, false);
    if (!x || !x->set || x->tag != world_block(world_shape(w, rank), slot, block)) {
        if (!*w->v->why)
            world_object(w, rank, "%s does not hold block %lld", slot_name(slot, (char[SLOT_TEXT]){0}), (long long)block);
        return NULL;
    }
    return slot < SLOTS || !w->actor[rank].walk.schedule.one_reader || world_access(w, rank, slot, block, true) ? x : NULL;
}

static bool is_aliased(const struct segment_world *w, int rank, int64_t block)
{
    const struct segment_call *call = &w->calls[w->actor[rank].call];
    const struct shape *s = world_shape(w, rank);
    const bool has = !s->ports.ranks || s->ports.self == s->reader;
    return call->in_place && has && collective_in_place(s->collective, world_position(w, rank), shape_root(s, block));
}

static bool writing(struct segment_world *w, int rank, int slot, int64_t block, struct sim_value value)
{
    const struct shape *s = world_shape(w, rank);
    if (slot == SLOT_IN || (slot == SLOT_OUT && !shape_writes(s, world_position(w, rank), block)))
        return world_object(w, rank, "writes %s", slot_name(slot, (char[SLOT_TEXT]){0}));
    struct sim_value *x = world_access(w, rank, slot, block, true);
    if (!x)
        return false;
    *x = value;
    x->tag = world_block(s, slot, block);
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
        *world_access(w, rank, SLOT_OUT, block, true) = result; /* IN stays valid until OUT changes */
        return true;
    }
    const struct sim_value *b = reading(w, rank, x->b.slot, block);
    if (!b)
        return false;
    result = *b;
    if (!sim_fold(world_shape(w, rank), a, &result))
        return world_object(w, rank, "folds [%lld..%lld] with [%lld..%lld]", (long long)a->lo, (long long)a->hi,
                            (long long)b->lo, (long long)b->hi);
    if (x->kind == STEP_FOLD)
        return writing(w, rank, x->b.slot, block, result);
    if (x->b.slot >= SLOTS) {
        struct sim_value *lost = world_access(w, rank, x->b.slot, block, true);
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
        return world_object(w, rank, "acts on block %lld and block %lld", (long long)x->a.block, (long long)x->b.block);
    for (int64_t i = 0; i < blocks; i++)
        if (!act_on(w, rank, x, x->a.block + i))
            return false;
    const bool nothing =
        is_aliased(w, rank, x->a.block) && x->a.slot + x->b.slot == SLOT_IN + SLOT_OUT && x->kind == STEP_COPY;
    w->actor[rank].time += nothing ? 0 : blocks;
    w->actor[rank].moved +=
        nothing ? 0 : (x->kind == STEP_COPY ? 2 : 3) * (double)blocks / (double)world_shape(w, rank)->blocks;
    return true;
}

/* ---- exchanges -------------------------------------------------------------------------------------------------------- */

static int peer_of(const struct segment_world *w, int rank, int node)
{
    return w->nodes->first[node] + world_local(w, rank);
}

/*
 * Once both ends are there. The receiver writes by what it knew, then knows what the sender knew; the sender learns nothing,
 * as messages may be buffered.
 */
static bool transfer(struct segment_world *w, int from, int to)
{
    struct actor *a = &w->actor[from], *b = &w->actor[to];
    const struct step *x = &a->step, *y = &b->step;
    const bool posted = a->has_step && b->has_step && x->kind == STEP_EXCHANGE && y->kind == STEP_EXCHANGE;
    if (!posted || a->call != b->call || x->when != y->when || x->to != b->node || y->from != a->node)
        return true;
    if (x->a.more != y->b.more)
        return world_object(w, to, "receives %lld blocks and gets %lld", (long long)y->b.more + 1, (long long)x->a.more + 1);
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

static bool perform(struct segment_world *w, int rank, bool *waits)
{
    struct actor *a = &w->actor[rank];
    const struct step *x = &a->step;
    const int64_t number = world_round(w, rank, x->when);
    *waits = false;
    switch (x->kind) {
    case STEP_FOLD:
    case STEP_COPY:
    case STEP_FOLD_INTO:
        return act(w, rank, x);
    case STEP_AWAIT:
        *waits = !world_told(w, a->first + x->from, number, x->turn);
        return *waits || world_learn_turn(w, rank, a->first + x->from, number, x->turn);
    case STEP_AWAIT_ALL:
        for (int of = a->first; of < a->first + a->ranks; of++)
            *waits = *waits || !world_told(w, of, number, x->turn);
        for (int of = a->first; of < a->first + a->ranks && !*waits; of++)
            if (!world_learn_turn(w, rank, of, number, x->turn))
                return false;
        return true;
    case STEP_AWAIT_FREE:
        *waits = !world_learn_free(w, rank, x->from, number);
        return true;
    case STEP_TELL:
        return world_tell_turn(w, rank, number, x->turn);
    case STEP_LEAVE:
        if (counter_now(&a->counter[COUNTER_OUT]) != number)
            return world_object(w, rank, "leaves round %lld before the previous round", (long long)number);
        if (!world_publish(w, rank, &a->counter[COUNTER_OUT], number + world_width(w, rank)))
            return false;
        return !world_gathers(w, rank) || (number + world_width(w, rank)) % (w->spots / 2) != 0 || world_gather(w, rank);
    default:
        return w->nodes ? exchange(w, rank, x, waits) : world_object(w, rank, "exchanges messages");
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

/* Leaves the spots before any of the call's rounds. */
static bool begin_call(struct segment_world *w, int rank)
{
    struct actor *a = &w->actor[rank];
    const struct segment_call *call = &w->calls[a->call];
    const struct shape *s = &a->shape;
    a->shape = call->shape[a->node];
    a->shape.ports.self = world_local(w, rank);
    const int number = world_position(w, rank);
    const bool has = !s->ports.ranks || s->ports.self == s->reader;
    const int64_t base = ceil_div(a->base, call->width) * call->width;
    if (base > a->base && !world_publish(w, rank, &a->counter[COUNTER_OUT], base))
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
    const struct shape *s = world_shape(w, rank);
    a->base = world_round(w, rank, a->walk.schedule.rounds);
    if (counter_now(&a->counter[COUNTER_OUT]) != a->base)
        return world_object(w, rank, "has not left all rounds");
    for (int64_t j = 0; j < (s->ports.ranks ? 1 : s->blocks); j++)
        if (!sim_right(s, w->weights, world_position(w, rank), j, &a->own[s->blocks + j]))
            return world_object(w, rank, "block %lld of the result is wrong", (long long)j);
    return true;
}

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
            return world_object(w, r, "deadlock in round %lld (waits for %d, turn %d)",
                                (long long)world_round(w, r, a->step.when), a->step.from, a->step.turn);
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
    int64_t blocks = 1, wide = 1;
    for (int i = 0; i < w->count; i++) {
        const struct shape *s = w->calls[i].shape;
        wide = wide > shape_wide(s) ? wide : shape_wide(s);
        blocks = blocks > s->blocks ? blocks : s->blocks;
    }
    bool have = (w->weights = sim_weights(w->ranks)) && (w->actor = calloc(p, sizeof *w->actor)) &&
                (w->spot = calloc(spots, sizeof *w->spot));
    for (size_t i = 0; have && i < p; i++)
        have = (w->actor[i].clock = calloc(p, sizeof(int64_t))) &&
               (w->actor[i].own = calloc(2 * (size_t)blocks, sizeof(struct sim_value)));
    for (size_t i = 0; have && i < spots; i++)
        have = cell_make(&w->spot[i].cell, w->ranks, wide) && cell_make(&w->spot[i].small, w->ranks, wide) &&
               cell_make(&w->spot[i].note, w->ranks, 1);
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
        cell_drop(&w->spot[i].small);
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
    w->v->ok = have ? run_all(w) : world_lacks_memory(w);
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
