/* SPDX-License-Identifier: BSD-2-Clause */
/* The generator that all engines share: it merges a rank's lanes by step number; see schedule.h. */
#include "schedule.h"

#include <assert.h>
#include <stdio.h>

static const char *const slot_names[SLOTS] = {"in", "out", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"};

const char *slot_name(int slot)
{
    assert(slot >= 0 && slot < SLOTS);
    return slot_names[slot];
}

const char *piece_text(int64_t blocks, struct piece p, char text[PIECE_TEXT])
{
    const int64_t last = p.block < blocks - p.more ? p.block + p.more : p.block - (blocks - p.more);
    if (p.more)
        snprintf(text, PIECE_TEXT, "%lld..%lld", (long long)p.block, (long long)last);
    else
        snprintf(text, PIECE_TEXT, "%lld", (long long)p.block);
    return text;
}

static bool refill_from_lanes(struct schedule *s);

void schedule_begin(struct schedule *s, const struct shape *shape, int rank, int scratch)
{
    assert(shape->ranks >= 1 && shape->blocks >= 1 && shape->group >= 0 && shape->node_ranks >= 0 && shape->wide >= 0);
    assert(shape->root >= 0 && shape->root < shape->ranks && rank >= 0 && rank < shape->ranks);
    assert(scratch >= 0 && scratch <= SLOTS - SLOT_T0);
    s->refill = refill_from_lanes;
    s->lanes = 0;
    s->first = s->last = 0;
    s->shape = *shape;
    s->rank = rank;
    s->slots = SLOT_T0 + scratch;
}

#ifndef NDEBUG
static bool is_rank(const struct schedule *s, int peer)
{
    return peer >= 0 && peer < s->shape.ranks;
}

static bool is_piece(const struct schedule *s, struct piece p, bool stretch)
{
    const int64_t n = s->shape.blocks;
    return p.slot >= 0 && p.slot < s->slots && p.block >= 0 && p.block < n && p.more >= 0 && p.more < n &&
           p.more < shape_wide(&s->shape) && (!stretch || p.slot >= SLOT_T0 || p.block + p.more < n);
}
#endif

void schedule_push(struct schedule *s, struct step x)
{
    bool local = x.kind != STEP_EXCHANGE;
    (void)local;
    assert(s->last < PENDING);
    assert(local ? x.to == NOBODY && x.from == NOBODY : x.when >= 0 && (x.to != NOBODY || x.from != NOBODY));
    assert((x.to == NOBODY || is_rank(s, x.to)) && (x.from == NOBODY || is_rank(s, x.from)));
    assert(!(local || x.to != NOBODY) || is_piece(s, x.a, !local));
    assert(!(local || x.from != NOBODY) || (is_piece(s, x.b, !local) && x.b.slot != SLOT_IN));
    s->pending[s->last++] = x;
}

void schedule_push_act(struct schedule *s, enum step_kind kind, int a, int b, int64_t block)
{
    schedule_push(
        s, (struct step){.kind = kind, .to = NOBODY, .from = NOBODY, .a = one_block(a, block), .b = one_block(b, block)});
}

void schedule_lane(struct schedule *s, struct lane lane)
{
    if (lane.left <= 0)
        return;
    assert(s->lanes < LANES);
    assert(lane.leg == LEG_LOCAL ? lane.peer == NOBODY : is_rank(s, lane.peer));
    assert(lane.when >= 0 && lane.period >= 1);
    assert(lane.block >= 0 && lane.left <= s->shape.blocks - lane.block);
    s->lane[s->lanes++] = lane;
}

static int slot_of(uint8_t slot, int64_t block)
{
    return slot & SLOT_ALTERNATE ? (slot & ~SLOT_ALTERNATE) + (int)(block & 1) : slot;
}

static void push_acts(struct schedule *s, const struct act act[2], int64_t block)
{
    for (int i = 0; i < 2 && act[i].kind; i++)
        schedule_push_act(s, act[i].kind, slot_of(act[i].a, block), slot_of(act[i].b, block), block);
}

/*
 * Moves the rank's next step number, with everything that belongs to it, into `pending`; false if no message is left. At
 * most one lane of each leg is due, so one exchange holds them all.
 */
static bool refill_from_lanes(struct schedule *s)
{
    struct lane *due[LEG_RECV + 1] = {0};
    int64_t when = INT64_MAX;
    for (int i = 0; i < s->lanes; i++)
        if (s->lane[i].left && s->lane[i].when < when)
            when = s->lane[i].when;
    if (when == INT64_MAX)
        return false;
    for (int i = 0; i < s->lanes; i++)
        if (s->lane[i].left && s->lane[i].when == when) {
            assert(!due[s->lane[i].leg]);
            due[s->lane[i].leg] = &s->lane[i];
        }

    for (int leg = LEG_LOCAL; leg <= LEG_RECV; leg++)
        if (due[leg])
            push_acts(s, due[leg]->before, due[leg]->block);
    const struct lane *send = due[LEG_SEND], *recv = due[LEG_RECV];
    struct step x = {.kind = STEP_EXCHANGE, .when = when, .to = NOBODY, .from = NOBODY};
    if (send) {
        x.to = send->peer;
        x.a = one_block(slot_of(send->slot, send->block), send->block);
    }
    if (recv) {
        x.from = recv->peer;
        x.b = one_block(slot_of(recv->slot, recv->block), recv->block);
    }
    if (send || recv)
        schedule_push(s, x);
    for (int leg = LEG_LOCAL; leg <= LEG_RECV; leg++)
        if (due[leg]) {
            push_acts(s, due[leg]->after, due[leg]->block);
            due[leg]->when += due[leg]->period;
            due[leg]->block++;
            due[leg]->left--;
        }
    return true;
}

bool pieces_meet(const struct shape *s, struct piece a, struct piece b)
{
    if (a.slot >= SLOT_T0 || b.slot >= SLOT_T0)
        return a.slot == b.slot;
    const int64_t ahead = b.block - a.block, around = ahead < 0 ? ahead + s->blocks : ahead;
    return around <= a.more || s->blocks - around <= b.more;
}

bool schedule_next(struct schedule *s, struct step *step)
{
    while (s->first == s->last) {
        s->first = s->last = 0;
        if (!s->refill(s))
            return false;
    }
    *step = s->pending[s->first++];
    return true;
}
