/* SPDX-License-Identifier: BSD-2-Clause */
/* See segment_world.h. */
#include "segment_world.h"

#include "cell.h"
#include "cut.h"

#include <stdarg.h>
#include <stdio.h>

const struct shape *world_shape(const struct segment_world *w, int rank)
{
    return &w->actor[rank].shape;
}

int world_local(const struct segment_world *w, int rank)
{
    return rank - w->actor[rank].first;
}

int world_position(const struct segment_world *w, int rank)
{
    return world_shape(w, rank)->ports.ranks ? w->actor[rank].node : world_local(w, rank);
}

int64_t world_block(const struct shape *s, int slot, int64_t block)
{
    return s->ports.ranks && slot < SLOTS ? 0 : block;
}

int64_t world_width(const struct segment_world *w, int rank)
{
    return w->calls[w->actor[rank].call].width;
}

int64_t world_round(const struct segment_world *w, int rank, int64_t round)
{
    return w->actor[rank].base + round * world_width(w, rank);
}

static struct spot *spot_of(const struct segment_world *w, int rank, int64_t number)
{
    return &w->spot[rank * w->spots + number % w->spots];
}

bool world_object(struct segment_world *w, int rank, const char *format, ...)
{
    int used = snprintf(w->v->why, sizeof w->v->why, "rank %d, call %d: ", rank, w->actor[rank].call);
    va_list ap;
    va_start(ap, format);
    vsnprintf(w->v->why + used, sizeof w->v->why - (size_t)used, format, ap);
    va_end(ap);
    return false;
}

bool world_lacks_memory(struct segment_world *w)
{
    snprintf(w->v->why, sizeof w->v->why, "not enough memory to simulate");
    return false;
}

/* ---- counters --------------------------------------------------------------------------------------------------------- */

bool world_publish(struct segment_world *w, int rank, struct counter *c, int64_t value)
{
    struct actor *a = &w->actor[rank];
    const int64_t now = counter_now(c);
    if (value <= now)
        return world_object(w, rank, "a counter goes from %lld to %lld", (long long)now, (long long)value);
    return counter_add(c, value, a->time, a->clock, w->ranks) || world_lacks_memory(w);
}

/* With the clock of the first value that suffices; false if none. */
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

bool world_told(const struct segment_world *w, int of, int64_t number, int turn)
{
    return counter_now(&spot_of(w, of, number)->turn) >= number * TURNS + turn;
}

bool world_learn_turn(struct segment_world *w, int rank, int of, int64_t number, int turn)
{
    struct spot *spot = spot_of(w, of, number);
    learn(w, rank, &spot->turn, number * TURNS + turn);
    cell_read(&spot->note, 0, rank, w->actor[rank].clock);
    return spot->note.round == number ||
           world_object(w, rank, "reads a note of round %lld, not %lld", (long long)spot->note.round, (long long)number);
}

bool world_tell_turn(struct segment_world *w, int rank, int64_t number, int turn)
{
    struct spot *spot = spot_of(w, rank, number);
    const int64_t *clock = w->actor[rank].clock;
    if (w->ranks < SEGMENT_TURNS && turn >= SEGMENT_TURNS)
        return world_object(w, rank, "tells turn %d, of which a round has none", turn);
    if (spot->note.round < number) {
        cell_begin_round(&spot->note, number);
        const int reader = cell_user(&spot->note, 0, rank, clock);
        if (reader != NOBODY)
            return world_object(w, rank, "overwrites its note in round %lld while rank %d reads it", (long long)number,
                                reader);
    }
    cell_write(&spot->note, 0, rank, clock);
    return world_publish(w, rank, &spot->turn, number * TURNS + turn);
}

bool world_gathers(const struct segment_world *w, int rank)
{
    return w->group > 1 && world_local(w, rank) % w->group == 0;
}

bool world_gather(struct segment_world *w, int rank)
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
        return world_lacks_memory(w);
    int64_t *clock = counter_clock(c, c->count - 1, w->ranks);
    for (int r = rank; r < after; r++) {
        const struct counter *out = &w->actor[r].counter[COUNTER_OUT];
        clock_join(clock, counter_clock(out, counter_first(out, least), w->ranks), w->ranks);
    }
    return true;
}

bool world_learn_free(struct segment_world *w, int rank, int reader, int64_t number)
{
    const int64_t enough = number + world_width(w, rank) - w->spots;
    if (enough <= 0)
        return true;
    const int first = w->actor[rank].first, end = first + w->actor[rank].ranks;
    if (reader != NOBODY && number - w->spots >= w->actor[rank].base)
        return learn(w, rank, &w->actor[first + reader].counter[COUNTER_OUT], enough);
    for (int of = first; of < end;) {
        const struct counter *counter = w->actor[of].counter;
        const bool whole = world_gathers(w, of) && learn(w, rank, &counter[COUNTER_GATHERED], enough);
        if (!whole && !learn(w, rank, &counter[COUNTER_OUT], enough))
            return false;
        of += whole ? w->group : 1;
    }
    return true;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

/* Only cells of slices have several blocks, consecutive ones. */
static int64_t place_of(const struct segment_world *w, int rank, int64_t round, int64_t block)
{
    const struct schedule *s = &w->actor[rank].walk.schedule;
    return shape_wide(&s->shape) > 1 ? block - part_offset(s->shape.blocks, s->rounds, round) : 0;
}

/* The value of place i in a spot that the rank uses; NULL: illegal, as a race. */
static struct sim_value *access_spot(struct segment_world *w, int rank, struct used_cell *c, int64_t i, int64_t number,
                                     bool writes, const char *name)
{
    const int64_t *clock = w->actor[rank].clock;
    if (c->round < number && writes)
        cell_begin_round(c, number);
    if (c->round != number)
        return world_object(w, rank, "%s has round %lld, not %lld", name, (long long)c->round, (long long)number), NULL;
    const int user = writes ? cell_user(c, i, rank, clock) : NOBODY, writer = cell_writer(c, i, rank, clock);
    if (user != NOBODY)
        return world_object(w, rank, "overwrites %s in round %lld while rank %d uses it", name, (long long)number, user),
               NULL;
    if (writer != NOBODY)
        return world_object(w, rank, "races with rank %d for %s in round %lld", writer, name, (long long)number), NULL;
    return writes ? cell_write(c, i, rank, clock) : cell_read(c, i, rank, clock);
}

struct sim_value *world_access(struct segment_world *w, int rank, int slot, int64_t block, bool writes)
{
    struct actor *a = &w->actor[rank];
    const int64_t round = a->step.kind == STEP_EXCHANGE ? 0 : a->step.when;
    const struct shape *s = world_shape(w, rank);
    const bool small = w->calls[a->call].small;
    if (slot < SLOTS)
        return slot == SLOT_IN || slot == SLOT_OUT ? &a->own[slot * s->blocks + world_block(s, slot, block)] : NULL;
    const int64_t number = world_round(w, rank, round), i = place_of(w, rank, round, block);
    struct sim_value *value = NULL;
    char name[SLOT_TEXT];
    slot_name(slot, name);
    if (i < 0 || i >= shape_wide(s))
        return world_object(w, rank, "%s has no block %lld", name, (long long)block), NULL;
    if (number % w->spots + world_width(w, rank) > w->spots)
        return world_object(w, rank, "%s goes around the end of the ring", name), NULL;
    for (int cell = small ? 0 : shape_halves(s); cell >= 0; cell--)
        for (int64_t k = world_width(w, rank) - 1; k >= 0; k--) { /* the value lies in the first spot of the first cell */
            struct spot *spot = spot_of(w, a->first + (slot - SLOTS + cell) % a->ranks, number + k);
            if (!(value = access_spot(w, rank, small ? &spot->small : &spot->cell, i, number, writes, name)))
                return NULL;
        }
    return value;
}
