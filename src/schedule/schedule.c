/* SPDX-License-Identifier: BSD-2-Clause */
/* The generator that all engines share: it merges a rank's lanes by step number; see schedule.h. */
#include "schedule.h"

#include "cut.h"
#include "own_memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const slot_names[SLOTS] = {"in", "out", "t0", "t1", "t2", "t3", "t4"};

const char *slot_name(int slot, char text[SLOT_TEXT])
{
    assert(slot >= 0);
    if (slot < SLOTS)
        snprintf(text, SLOT_TEXT, "%s", slot_names[slot]);
    else
        snprintf(text, SLOT_TEXT, "cell%d", slot - SLOTS);
    return text;
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

int rank_after(const struct shape *s, int rank, int64_t distance)
{
    int64_t after = rank + distance;
    after += after < 0 ? s->ranks : after >= s->ranks ? -(int64_t)s->ranks : 0;
    assert(after >= 0 && after < s->ranks);
    return (int)after;
}

int shape_root(const struct shape *s, int64_t block)
{
    return s->roots ? rank_after(s, s->root, part_with(s->blocks, s->roots, block)) : s->root;
}

bool shape_reads(const struct shape *s, int rank)
{
    return s->readers == READERS_ALL || (s->readers == READERS_ONE) == (rank == s->reader);
}

bool shape_writes(const struct shape *s, int rank, int64_t block)
{
    const bool beside = s->ports.ranks && s->ports.self != s->reader && collective_streams(s->collective);
    return (beside || collective_writes(s->collective, rank, shape_root(s, block))) &&
           shape_reads(s, s->ports.ranks ? s->ports.self : rank);
}

void schedule_clear(struct schedule *s, const struct shape *shape, int rank, int scratch)
{
    assert(shape->ranks >= 1 && shape->blocks >= 1 && shape->group >= 0 && shape->node_ranks >= 0 && shape->wide >= 0);
    assert(shape->root >= 0 && shape->root < shape->ranks && rank >= 0 && rank < shape->ranks);
    assert(shape->roots >= 0 && shape->roots <= shape->ranks);
    assert(scratch >= 0 && scratch <= SLOTS - SLOT_T0);
    *s = (struct schedule){.refill = refill_from_lanes,
                           .shape = *shape,
                           .rank = rank,
                           .slots = SLOT_T0 + scratch,
                           .lane = s->lane,
                           .number = s->number};
}

struct schedule *schedule_copy(const struct schedule *s)
{
    const size_t lanes = (size_t)s->lanes * sizeof *s->lane, numbers = (size_t)s->numbers * sizeof *s->number,
                 children = (size_t)s->children * sizeof(int);
    char *memory = own_memory(sizeof *s + lanes + numbers + children);
    if (!memory)
        return NULL;
    struct schedule *copy = (void *)memory;
    *copy = *s;
    copy->lane = memcpy(memory + sizeof *s, s->lane, lanes);
    copy->number = memcpy(memory + sizeof *s + lanes, s->number, numbers);
    int *child = (void *)(memory + sizeof *s + lanes + numbers);
    if (s->children)
        s->children_of(s, 0, s->children, child);
    copy->child = child;
    return copy;
}

void cursor_begin(struct cursor *c, const struct schedule *s)
{
    c->first = c->last = 0;
    for (int i = 0; i < s->lanes; i++) {
        c->lane[i].when = s->lane[i].when;
        c->lane[i].block = s->lane[i].block;
        c->lane[i].left = s->lane[i].left;
        c->lane[i].turn = s->lane[i].run.turn;
    }
    memcpy(c->state, s->start, sizeof c->state);
}

#ifndef NDEBUG
static bool is_rank(const struct schedule *s, int peer)
{
    return peer >= 0 && peer < s->shape.ranks;
}

/* Is it a rank that shares the segment? */
static bool is_near(const struct schedule *s, int rank)
{
    return rank >= 0 && rank < (s->shape.ports.ranks ? s->shape.ports.ranks : s->shape.ranks);
}

static bool is_piece(const struct schedule *s, struct piece p, bool stretch)
{
    const int64_t n = s->shape.blocks;
    const bool known = p.slot < s->slots || (s->rounds && p.slot >= SLOTS && is_near(s, p.slot - SLOTS));
    return p.slot >= 0 && known && p.block >= 0 && p.block < n && p.more >= 0 && p.more < n &&
           p.more < shape_wide(&s->shape) && (!stretch || p.slot >= SLOT_T0 || p.block + p.more < n);
}

static bool is_target(const struct schedule *s, struct piece p, bool stretch)
{
    return is_piece(s, p, stretch) && p.slot != SLOT_IN;
}

static bool is_step(const struct schedule *s, const struct step *x)
{
    const bool alone = x->to == NOBODY && x->from == NOBODY, round = x->when >= 0 && x->when < s->rounds;
    switch (x->kind) {
    case STEP_EXCHANGE:
        return x->when >= 0 && !alone && (x->to == NOBODY || (is_rank(s, x->to) && is_piece(s, x->a, true))) &&
               (x->from == NOBODY || (is_rank(s, x->from) && is_target(s, x->b, true)));
    case STEP_FOLD:
    case STEP_COPY:
        return alone && is_piece(s, x->a, false) && is_target(s, x->b, false);
    case STEP_FOLD_INTO:
        return alone && is_piece(s, x->a, false) && is_piece(s, x->b, false) && x->into != x->a.slot &&
               x->into != x->b.slot && is_target(s, (struct piece){x->into, x->a.block, x->a.more}, false);
    case STEP_AWAIT:
        return x->to == NOBODY && is_near(s, x->from) && round && x->turn >= 1;
    case STEP_AWAIT_ALL:
    case STEP_TELL:
        return alone && round && x->turn >= 1;
    case STEP_AWAIT_FREE:
        return x->to == NOBODY && (x->from == NOBODY || is_near(s, x->from)) && round;
    default: /* STEP_LEAVE */
        return alone && round;
    }
}
#endif

void cursor_push(struct cursor *c, const struct schedule *s, struct step x)
{
    (void)s;
    assert(c->last < PENDING && is_step(s, &x));
    c->pending[c->last++] = x;
}

void cursor_push_piece(struct cursor *c, const struct schedule *s, enum step_kind kind, int a, int b, struct piece piece)
{
    const struct piece from = {a, piece.block, piece.more}, to = {b, piece.block, piece.more};
    cursor_push(c, s, (struct step){.kind = kind, .to = NOBODY, .from = NOBODY, .a = from, .b = to});
}

void cursor_push_act(struct cursor *c, const struct schedule *s, enum step_kind kind, int a, int b, int64_t block)
{
    cursor_push_piece(c, s, kind, a, b, one_block(a, block));
}

void schedule_lane(struct schedule *s, struct lane lane)
{
    if (lane.left <= 0)
        return;
    assert(s->lanes < LANES);
    assert(lane.leg == LEG_LOCAL ? lane.peer == NOBODY : is_rank(s, lane.peer));
    assert(lane.when >= 0 && lane.period >= 1 && lane.period >= lane.run.length);
    assert(lane.block >= 0 && (lane.run.length || lane.left <= s->shape.blocks - lane.block));
    if (lane.run.length == 0)
        lane.run.next = 1;
    s->lane[s->lanes++] = lane;
}

/* The peer of message number `turn` in a run. */
static int run_peer(const struct schedule *s, const struct lane *x, int64_t turn)
{
    const int64_t number = x->run.reversed ? x->run.length - 1 - turn : turn;
    int child;
    if (x->run.peers == RUN_RING)
        return x->run.ring_first + (int)((x->peer - x->run.ring_first + number) % x->run.ring_ranks);
    s->children_of(s, (int)number, 1, &child);
    return child;
}

static int peer_of(const struct schedule *s, const struct lane *x, int64_t turn)
{
    return x->run.peers == RUN_ONE_PEER ? x->peer : run_peer(s, x, turn);
}

static void advance(struct cursor_lane *at, const struct lane *x)
{
    at->left--;
    if (at->turn < x->run.length - 1) {
        at->turn++;
        at->when++;
        at->block += x->run.each;
    } else {
        at->when += x->period - at->turn;
        at->turn = 0;
        at->block += x->run.next;
    }
}

static int slot_of(uint8_t slot, int64_t block)
{
    return slot & SLOT_ALTERNATE ? (slot & ~SLOT_ALTERNATE) + (int)(block & 1) : slot;
}

static void push_acts(struct cursor *c, const struct schedule *s, const struct act act[2], int64_t block)
{
    for (int i = 0; i < 2 && act[i].kind; i++)
        cursor_push_act(c, s, act[i].kind, slot_of(act[i].a, block), slot_of(act[i].b, block), block);
}

/* At most one lane of each leg is due, so one exchange holds all messages. */
bool refill_from_lanes(struct cursor *c, const struct schedule *s)
{
    int due[LEG_LOCAL + 1] = {-1, -1, -1};
    int64_t when = INT64_MAX;
    for (int i = 0; i < s->lanes; i++)
        if (c->lane[i].left && c->lane[i].when < when)
            when = c->lane[i].when;
    if (when == INT64_MAX)
        return false;
    for (int i = 0; i < s->lanes; i++)
        if (c->lane[i].left && c->lane[i].when == when) {
            assert(due[s->lane[i].leg] < 0);
            due[s->lane[i].leg] = i;
        }

    for (int leg = LEG_SEND; leg <= LEG_LOCAL; leg++)
        if (due[leg] >= 0)
            push_acts(c, s, s->lane[due[leg]].before, c->lane[due[leg]].block);
    const int send = due[LEG_SEND], recv = due[LEG_RECV];
    int to = NOBODY, from = NOBODY;
    struct piece sent = {.slot = 0}, received = {.slot = 0};
    if (send >= 0) {
        to = peer_of(s, &s->lane[send], c->lane[send].turn);
        sent = one_block(slot_of(s->lane[send].slot, c->lane[send].block), c->lane[send].block);
    }
    if (recv >= 0) {
        from = peer_of(s, &s->lane[recv], c->lane[recv].turn);
        received = one_block(slot_of(s->lane[recv].slot, c->lane[recv].block), c->lane[recv].block);
    }
    if (send >= 0 || recv >= 0)
        cursor_push(c, s,
                    (struct step){.kind = STEP_EXCHANGE, .when = when, .to = to, .from = from, .a = sent, .b = received});
    for (int leg = LEG_SEND; leg <= LEG_LOCAL; leg++)
        if (due[leg] >= 0) {
            const int i = due[leg];
            push_acts(c, s, s->lane[i].after, c->lane[i].block);
            advance(&c->lane[i], &s->lane[i]);
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

bool cursor_next(struct cursor *c, const struct schedule *s, struct step *step)
{
    while (c->first == c->last) {
        c->first = c->last = 0;
        if (!s->refill(c, s))
            return false;
    }
    *step = c->pending[c->first++];
    return true;
}
