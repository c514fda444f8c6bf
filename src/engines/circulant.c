/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Circulant: broadcast and commutative reduction in n-1+q rounds, which is optimal. doc/circulant says more. For its
 * allreduce see circulant_allreduce.c.
 *
 * J. L. Traeff, "Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast, Reduction
 * and All-Reduction", ACM TOPC 2025, doi 10.1145/3735139, arXiv 2407.18004. The names are the paper's; r is the rank
 * relative to the root.
 *
 * In round k of a phase of q rounds rank r sends to r + skip[k] and receives from r - skip[k] (mod p), where
 *
 *     skip[q] = p, skip[k] = ceil(skip[k+1] / 2), which is ceil(p / 2^(q-k))
 *
 * The entries recv[k] and send[k], 0 <= k < q, are the block numbers of round k; q is added to them after every phase. The
 * baseblock b(r) is the index of the smallest skip in the greedy sum of skips that gives r.
 *
 *     recv[k]  b(r) for one k, and for the others the numbers -q .. -1 without b(r)-q. A search finds them in O(q).
 *     send[k]  recv[k] of rank r + skip[k]; for the root, k. The greedy sum of r gives all but at most four entries: O(q).
 *
 * Both ends omit the message of a block < 0. A block >= n stands for n-1. Nothing is sent to the root.
 *
 * Example, p = 7 (skips 1, 2, 4; q = 3), root 0, n = 4; the block received / the block sent:
 *
 *     step     0    1    2    3    4    5
 *     rank 0  -/0  -/1  -/2  -/3  -/3  -/3
 *     rank 1  0/-  -/0  -/0  3/0  1/3  2/3
 *     rank 2       1/-  -/1  0/1  3/1  2/3
 *     rank 3       0/-       1/0  3/1  2/-
 *     rank 4            2/-  0/2  1/2  3/2
 *     rank 5            0/-  2/0  1/-  3/2
 *     rank 6            1/-  0/-  2/1  3/2
 *
 * The reduction is the broadcast with time reversed. Invariants: a rank receives each block once, before it sends it. In the
 * reduction it sends a block's partial result once, after all operands of the block have come. It holds partial results of
 * at most three blocks at a time.
 */
#include "circulant.h"

#include <assert.h>

enum { MOST_Q = 31, PARTIALS = 3, NO_BLOCK = -1 };

/* The use of cursor.state. schedule.number has recv[0 .. q-1], then send[0 .. q-1]. */
enum {
    K,      /* the coming round's place in its phase */
    OFFSET, /* what that phase adds to the entries */
    WHEN,   /* the coming round's number */
    HELD,   /* HELD + i: the block whose partial result is in slot T1+i; at the root, HELD alone: the last block received */
    USED = HELD + PARTIALS
};
_Static_assert((int)USED <= (int)MOVING && 2 * (int)MOST_Q <= (int)SCHEDULE_NUMBERS, "they fit");

static int baseblock(int64_t p, int q, int64_t r)
{
    int b = q;
    for (int k = q - 1; k >= 0 && r > 0; k--)
        if (r >= circulant_skip(p, q, k)) {
            r -= circulant_skip(p, q, k);
            b = k;
        }
    return b;
}

/* ---- receive schedule ------------------------------------------------------------------------------------------------ */

struct search {
    int64_t p, target; /* r + p */
    int q, k;          /* recv[0 .. k-1] are found */
    int recv[MOST_Q];
    uint64_t unused; /* skips whose path is still to be found */
};

/* The largest unused skip below e, or -1. */
static int next_unused(const struct search *f, int e)
{
    uint64_t below = f->unused & (((uint64_t)1 << e) - 1);
    return below ? 63 - __builtin_clzll(below) : -1;
}

/* Extends a path (a sum of skips) from v by skip e or a smaller one. A path must end below `least`, the last one's end. */
static void search(struct search *f, int64_t v, int64_t least, int e)
{
    for (; e >= 0; e = next_unused(f, e)) {
        int64_t w = v + circulant_skip(f->p, f->q, e);
        if (w <= f->target - circulant_skip(f->p, f->q, f->k) && w < least) {
            if (w <= f->target - circulant_skip(f->p, f->q, f->k + 1))
                search(f, w, least, e);
            if (f->k == f->q || v > f->target - circulant_skip(f->p, f->q, f->k + 1))
                return;
            least = w;
            f->recv[f->k++] = e;
            f->unused &= ~((uint64_t)1 << e);
        }
        if (f->k == f->q)
            return;
    }
}

static void recv_schedule(int64_t p, int q, int64_t r, int64_t recv[])
{
    int b = baseblock(p, q, r);
    assert(q <= MOST_Q && b >= 0 && b <= q);
    struct search f = {.p = p, .target = r + p, .q = q, .unused = (((uint64_t)2 << q) - 1) & ~((uint64_t)1 << b)};
    search(&f, 0, 2 * p, next_unused(&f, q + 1));
    for (int k = 0; k < q; k++)
        recv[k] = f.recv[k] == q ? b : f.recv[k] - q;
}

/* ---- send schedule --------------------------------------------------------------------------------------------------- */

/*
 * Goes down the greedy sum of r. Rank r is number `rest` among the `end` ranks whose sums share the larger skips. The ranks
 * from number skip[k] on are the upper part. They send block k-q in round k, and in the lower rounds until they are split
 * in turn. The lower part sends the same block as in round k+1. Where a part has too few ranks for this rule, the
 * receiver's schedule gives the entry.
 */
static void send_schedule(int64_t p, int q, int64_t r, int64_t send[])
{
    int64_t block = baseblock(p, q, r), rest = r, end = p, recv[MOST_Q];
    if (r == 0) {
        for (int k = 0; k < q; k++)
            send[k] = k;
        return;
    }
    send[0] = block - q;
    for (int k = q - 1; k > 0; k--) {
        int64_t half = circulant_skip(p, q, k), quarter = circulant_skip(p, q, k - 1);
        bool upper = rest >= half, regular;
        if (upper) {
            block = k - q;
            regular = k == 1 || rest > half || end - half < quarter;
            rest -= half;
            end -= half;
        } else {
            regular = (k == 1 && send[0] > -q) || rest + half < end || end < quarter;
            end = end < half ? end : half;
        }
        send[k] = block;
        if (!regular) {
            recv_schedule(p, q, (r + half) % p, recv);
            send[k] = recv[k];
        }
    }
}

/* ---- both ------------------------------------------------------------------------------------------------------------ */

static int relative(const struct schedule *s)
{
    return rank_after(&s->shape, s->rank, -s->shape.root);
}

/* Sets the schedule's numbers, and lets it start at round k of a phase that adds `offset` to the entries. */
static void begin(struct schedule *s, int k, int64_t offset)
{
    int64_t p = s->shape.ranks, r = relative(s);
    int q = ceil_log2(p);
    recv_schedule(p, q, r, s->number);
    send_schedule(p, q, r, s->number + q);
    s->numbers = 2 * q;
    s->start[K] = k;
    s->start[OFFSET] = offset;
}

/* Sets the rank's next exchange of the broadcast, which runs backwards if `direction` is -1. Returns false at the end. */
static bool next_exchange(struct cursor *c, const struct schedule *s, int direction, struct step *x)
{
    int64_t p = s->shape.ranks, last = s->shape.blocks - 1, r = relative(s);
    int q = ceil_log2(p);
    int64_t rounds = last + q;
    *x = (struct step){.kind = STEP_EXCHANGE, .to = NOBODY, .from = NOBODY};
    while (c->state[WHEN] < rounds && x->to == NOBODY && x->from == NOBODY) {
        int k = (int)c->state[K];
        int64_t distance = circulant_skip(p, q, k);
        int64_t sent = s->number[q + k] + c->state[OFFSET], received = s->number[k] + c->state[OFFSET];
        if (sent >= 0 && r + distance != p) {
            x->to = rank_after(&s->shape, s->rank, distance);
            x->a = one_block(SLOT_OUT, sent < last ? sent : last);
        }
        if (received >= 0 && r > 0) {
            x->from = rank_after(&s->shape, s->rank, -distance);
            x->b = one_block(SLOT_OUT, received < last ? received : last);
        }
        x->when = c->state[WHEN]++;
        c->state[K] += direction;
        if (c->state[K] == (direction > 0 ? q : -1)) { /* a phase is over */
            c->state[K] = direction > 0 ? 0 : q - 1;
            c->state[OFFSET] += direction * q;
        }
    }
    return x->to != NOBODY || x->from != NOBODY;
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 1, .latency = s->ranks > 1 ? ceil_log2(s->ranks) - 1 : 0};
}

/* ---- broadcast ------------------------------------------------------------------------------------------------------- */

static bool bcast_refill(struct cursor *c, const struct schedule *s)
{
    struct step x;
    if (!next_exchange(c, s, 1, &x))
        return false;
    cursor_push(c, s, x);
    return true;
}

static void generate_bcast(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    int q = ceil_log2(shape->ranks);
    int idle = (int)((q - (shape->blocks - 1) % q) % q); /* rounds left out of the first phase */
    s->refill = bcast_refill;
    begin(s, idle, -idle);
}

/* ---- reduction ------------------------------------------------------------------------------------------------------- */

/* Or -1. NO_BLOCK asks for a free slot. */
static int held(const struct cursor *c, int64_t block)
{
    for (int i = 0; i < PARTIALS; i++)
        if (c->state[HELD + i] == block)
            return i;
    return -1;
}

static bool reduce_refill(struct cursor *c, const struct schedule *s)
{
    struct step x;
    if (!next_exchange(c, s, -1, &x))
        return false;
    int64_t sent = x.b.block, block = x.a.block;
    struct step y = {.kind = STEP_EXCHANGE, .when = x.when, .to = x.from, .from = x.to};
    int out = y.to == NOBODY ? -1 : held(c, sent);
    y.a = one_block(out < 0 ? SLOT_IN : SLOT_T1 + out, sent);
    if (y.from == NOBODY) {
        cursor_push(c, s, y);
    } else {
        bool root = relative(s) == 0;
        int in = held(c, block);
        bool first = in < 0; /* of the block's operands; except at the root, it comes into the slot of the partial result */
        if (first)
            in = root ? 0 : held(c, NO_BLOCK);
        c->state[HELD + in] = block;
        y.b = one_block(first && !root ? SLOT_T1 + in : SLOT_T0, block);
        cursor_push(c, s, y);
        if (root && first)
            cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_OUT, block);
        if (root)
            cursor_push_act(c, s, STEP_FOLD, SLOT_T0, SLOT_OUT, block);
        else
            cursor_push_act(c, s, STEP_FOLD, first ? SLOT_IN : SLOT_T0, SLOT_T1 + in, block);
    }
    if (out >= 0) /* only now: the slot of the block that is sent must not take the block that comes in */
        c->state[HELD + out] = NO_BLOCK;
    return true;
}

static void generate_reduce(struct schedule *s)
{
    s->refill = reduce_refill;
    begin(s, ceil_log2(s->shape.ranks) - 1, s->shape.blocks - 1);
    for (int i = 0; i < PARTIALS; i++)
        s->start[HELD + i] = NO_BLOCK;
}

#define ROUNDS .text.rounds = "q-1+n", .round_bound = round_bound
#define COMMUTATIVE .needs = NEED_COMMUTATIVE

const struct engine engine_circulant = {
    .name = "circulant",
    .made_for = MADE_FOR_ONE_A_NODE,
    .summary = "all ranks exchange with neighbours at skips p/2, p/4, .. (round-optimal)",
    .scratch = 1 + PARTIALS,
    .serves = {[COLL_BCAST] = {ROUNDS, .generate = generate_bcast},
               [COLL_REDUCE] = {ROUNDS, COMMUTATIVE, .model.order_varies = true, .generate = generate_reduce},
               [COLL_ALLREDUCE] = {.text.rounds = "sum 2 ceil(N/w)",
                                   COMMUTATIVE,
                                   .round_bound = circulant_allreduce_round_bound,
                                   .work = circulant_allreduce_work,
                                   .generate = circulant_allreduce}},
};
