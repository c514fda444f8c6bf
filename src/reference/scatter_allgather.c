/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scatter-allgather: the root scatters the message, then the ranks pass the parts around a ring; see doc/classics.
 *
 * M. Barnett, L. Shuler, R. van de Geijn, S. Gupta, D. G. Payne, J. Watts, "Interprocessor Collective Communication Library
 * (InterCom)", SHPCC 1994.
 *
 * The positions are v = (rank - root) mod p. Chunk c of the n blocks is [floor(c*n/p), floor((c+1)*n/p)). The root sends all
 * chunks but its own, 0, D blocks in steps 0 .. D-1. In turn t = 0 .. p-2 of the ring, v sends chunk v-t to v+1 (mod p):
 * block b in step D + t*B + b, B = ceil(n/p).
 *
 * Example, p = 4, root 0, n = 4:
 *
 *     step     0    1    2    3    4    5
 *     rank 0  -/1  -/2  -/3  -/0  -/3  -/2
 *     rank 1  1/-            0/1  3/0  2/3
 *     rank 2       2/-       1/2  0/1  3/0
 *     rank 3            3/-  2/-  1/-  0/-
 *
 * Rounds: D + (p-1)*B <= 2n + p-2.
 */
#include "engine.h"

enum {
    TURN, /* of the ring; or DEALING */
    BLOCK,
    OWNER
};

enum { DEALING = -1 };

/* floor(c*n/p), without overflow. */
static int64_t chunk_first(const struct shape *s, int64_t c)
{
    return c * (s->blocks / s->ranks) + c * (s->blocks % s->ranks) / s->ranks;
}

static int rank_at(const struct schedule *s, int64_t v)
{
    return rank_after(&s->shape, s->shape.root, v);
}

/* Block b of chunk c, counted mod p; false if there is none. */
static bool find_block(const struct shape *s, int64_t c, int64_t b, struct piece *piece)
{
    c += c < 0 ? s->ranks : 0;
    *piece = one_block(SLOT_OUT, chunk_first(s, c) + b);
    return piece->block < chunk_first(s, c + 1);
}

static struct step exchange(struct cursor *c, const struct schedule *s, int64_t b, int64_t v)
{
    const struct shape *shape = &s->shape;
    const int64_t p = shape->ranks, n = shape->blocks, t = c->state[TURN], dealt = chunk_first(shape, 1);
    struct step x = {
        .kind = STEP_EXCHANGE, .when = n - dealt + t * (n / p + (n % p != 0)) + b, .to = NOBODY, .from = NOBODY};
    if (t == DEALING && v > 0) {
        if (find_block(shape, v, b, &x.b))
            x.from = shape->root;
        x.when = x.b.block - dealt;
    } else if (t == DEALING && dealt + b < n) {
        while (!find_block(shape, c->state[OWNER], dealt + b - chunk_first(shape, c->state[OWNER]), &x.a))
            c->state[OWNER]++;
        x.to = rank_at(s, c->state[OWNER]);
        x.when = b;
    } else if (t != DEALING) {
        if (v < p - 1 && find_block(shape, v - t, b, &x.a))
            x.to = rank_at(s, v + 1);
        if (v > 0 && find_block(shape, v - 1 - t, b, &x.b))
            x.from = rank_at(s, v - 1);
    }
    return x;
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    const int v = rank_after(&s->shape, s->rank, -s->shape.root);
    for (; c->state[TURN] < s->shape.ranks - 1; c->state[TURN]++, c->state[BLOCK] = 0) {
        const struct step x = exchange(c, s, c->state[BLOCK]++, v);
        if (x.to != NOBODY || x.from != NOBODY) {
            cursor_push(c, s, x);
            return true;
        }
    }
    return false;
}

static void generate_bcast(struct schedule *s)
{
    s->refill = refill;
    s->start[TURN] = DEALING;
    s->start[OWNER] = 1;
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 2, .latency = s->ranks - 2};
}

const struct engine engine_scatter_allgather = {
    .name = "scatter-allgather",
    .summary = "the root scatters the message, whose parts then go around a ring",
    .scratch = 0,
    .serves = {[COLL_BCAST] = {.model.reference = true,
                               .text.rounds = "p-2+2n",
                               .round_bound = round_bound,
                               .generate = generate_bcast}},
};
