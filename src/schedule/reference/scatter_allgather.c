/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scatter-allgather: the root deals out the message, then the ranks pass the parts around a ring. doc/classics says more.
 *
 * M. Barnett, L. Shuler, R. van de Geijn, S. Gupta, D. G. Payne, J. Watts, "Interprocessor Collective Communication
 * Library (InterCom)", SHPCC 1994. MPI libraries broadcast long messages like this, so other engines are compared with it.
 *
 * The positions are v = (rank - root) mod p. Chunk c of the n blocks is [floor(c*n/p), floor((c+1)*n/p)). The root keeps
 * chunk 0 and sends the others theirs, D blocks in steps 0 .. D-1. Then the ring: in turn t = 0 .. p-2 position v sends
 * chunk v-t to v+1 (mod p): block b of it in step D + t*B + b, B = ceil(n/p). No rank sends to the root. Both ends
 * know the size of a chunk, and leave out blocks that it does not have.
 *
 * Example, p = 4, root 0, n = 4; the block received / the block sent:
 *
 *     step     0    1    2    3    4    5
 *     rank 0  -/1  -/2  -/3  -/0  -/3  -/2
 *     rank 1  1/-            0/1  3/0  2/3
 *     rank 2       2/-       1/2  0/1  3/0
 *     rank 3            3/-  2/-  1/-  0/-
 *
 * Rounds: D + (p-1)*B <= 2n + p-2. Invariant: in turn 0 a position sends the chunk that the root dealt to it, and in every
 * later turn the chunk that came in the turn before.
 */
#include "engine.h"

/* The use of cursor.state. */
enum {
    TURN,  /* of the ring; DEALING before */
    BLOCK, /* dealing: the next block; ring: the next one of the turn, counted from 0 */
    LAST,  /* dealing: the block behind this rank's, or behind all if this is the root */
    CHUNK, /* dealing, root: owner of the block; ring: the chunk that comes in */
    SENT,  /* ring: first block and number of blocks of the chunk that is sent, and of the one that comes in */
    SENT_SIZE,
    RECEIVED,
    RECEIVED_SIZE
};

enum { DEALING = -1 };

/* First block of chunk c: floor(c*n/p), without overflow. */
static int64_t chunk_first(const struct shape *s, int64_t c)
{
    return c * (s->blocks / s->ranks) + c * (s->blocks % s->ranks) / s->ranks;
}

static int position(const struct schedule *s)
{
    return rank_after(&s->shape, s->rank, -s->shape.root);
}

static int rank_at(const struct schedule *s, int64_t v)
{
    return rank_after(&s->shape, s->shape.root, v);
}

/* Begins a turn: sends what came in, receives the chunk before. */
static void next_turn(struct cursor *c, const struct schedule *s)
{
    int64_t *state = c->state, end = state[CHUNK] > 0 ? state[RECEIVED] : s->shape.blocks;
    state[SENT] = state[RECEIVED];
    state[SENT_SIZE] = state[RECEIVED_SIZE];
    state[CHUNK] = (state[CHUNK] > 0 ? state[CHUNK] : s->shape.ranks) - 1;
    state[RECEIVED] = chunk_first(&s->shape, state[CHUNK]);
    state[RECEIVED_SIZE] = end - state[RECEIVED];
    state[BLOCK] = 0;
    state[TURN]++;
}

/* Ends the dealing: the rank's own chunk came in. */
static void begin_ring(struct cursor *c, const struct schedule *s)
{
    int v = position(s);
    c->state[CHUNK] = v;
    c->state[RECEIVED] = chunk_first(&s->shape, v);
    c->state[RECEIVED_SIZE] = chunk_first(&s->shape, v + 1) - c->state[RECEIVED];
    next_turn(c, s);
}

/* Takes the next message of the dealing; false if there is none. */
static bool deal(struct cursor *c, const struct schedule *s, struct step *x)
{
    int64_t j = c->state[BLOCK]++;
    if (j >= c->state[LAST])
        return false;
    x->when = j - chunk_first(&s->shape, 1);
    if (position(s) > 0) {
        x->from = s->shape.root;
        x->b = one_block(SLOT_OUT, j);
        return true;
    }
    while (j >= chunk_first(&s->shape, c->state[CHUNK] + 1))
        c->state[CHUNK]++;
    x->to = rank_at(s, c->state[CHUNK]);
    x->a = one_block(SLOT_OUT, j);
    return true;
}

/* Takes the next exchange of the ring; false if there is none. */
static bool pass(struct cursor *c, const struct schedule *s, struct step *x)
{
    int64_t p = s->shape.ranks, n = s->shape.blocks, most = n / p + (n % p != 0);
    int v = position(s);
    for (; c->state[TURN] < p - 1; next_turn(c, s)) {
        int64_t b = c->state[BLOCK]++;
        if (v < p - 1 && b < c->state[SENT_SIZE]) {
            x->to = rank_at(s, v + 1);
            x->a = one_block(SLOT_OUT, c->state[SENT] + b);
        }
        if (v > 0 && b < c->state[RECEIVED_SIZE]) {
            x->from = rank_at(s, v - 1);
            x->b = one_block(SLOT_OUT, c->state[RECEIVED] + b);
        }
        if (x->to != NOBODY || x->from != NOBODY) {
            x->when = n - chunk_first(&s->shape, 1) + c->state[TURN] * most + b;
            return true;
        }
    }
    return false;
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    struct step x = {.kind = STEP_EXCHANGE, .to = NOBODY, .from = NOBODY};
    bool found = c->state[TURN] == DEALING && deal(c, s, &x);
    if (!found && c->state[TURN] == DEALING)
        begin_ring(c, s);
    if (found || pass(c, s, &x)) {
        cursor_push(c, s, x);
        return true;
    }
    return false;
}

static void generate_bcast(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    s->refill = refill;
    int v = position(s);
    s->start[TURN] = DEALING;
    s->start[CHUNK] = 1;
    s->start[BLOCK] = chunk_first(shape, v > 0 ? v : 1);
    s->start[LAST] = v > 0 ? chunk_first(shape, v + 1) : shape->blocks;
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 2, .latency = s->ranks - 2};
}

const struct engine engine_scatter_allgather = {
    .name = "scatter-allgather",
    .summary = "the root deals out the message, whose parts then go around a ring",
    .trees = 1,
    .scratch = 0,
    .serves = {[COLL_BCAST] = {.model.reference = true,
                               .text.rounds = "p-2+2n",
                               .round_bound = round_bound,
                               .generate = generate_bcast}},
};
