/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Circulant's allreduce of commutative operations: a reduce-scatter and an allgather in 2q rounds; no algorithm has fewer. A
 * round takes one step or several.
 *
 * J. L. Traeff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms", arXiv 2410.14234. The skips are those of
 * circulant.c. Rank r is responsible for part r of the message, one of p (see cut.h). Parts and ranks are counted mod p.
 *
 *     copy            parts r .. r+skip[q-1]-1 of IN to OUT
 *     reduce-scatter  k = q-1 .. 0: sends parts r+skip[k] .. r+skip[k+1]-1 to rank r+skip[k], from IN if k = q-1, else OUT;
 *                     receives parts r .. r+skip[k+1]-skip[k]-1 from rank r-skip[k] and folds them into OUT
 *     allgather       k = 0 .. q-1: the same messages the other way, from OUT to OUT
 *
 * A range of parts is cut into pieces of w blocks, from its own beginning on. The i-th pieces of all ranks share one step
 * number. The longest range of any rank fixes how many pieces a stage has. A piece may go around the end of the message:
 * from block n-1 to block 0. It is one message nevertheless: a second message would delay its sender by a step, and all
 * ranks that wait for the sender. Such a piece is copied to slot T1 and sent from there, and it is received into T0.
 *
 * Example, p = 7 (skips 1, 2, 4), n = 7, w >= 3; the blocks received / the blocks sent:
 *
 *     step        0          1          2          3          4          5
 *     rank 0  0..2/4..6  0..1/2..3  0/1        1/0        2..3/0..1  4..6/0..2
 *     rank 1  1..3/5..0  1..2/3..4  1/2        2/1        3..4/1..2  5..0/1..3
 *     rank 2  2..4/6..1  2..3/4..5  2/3        3/2        4..5/2..3  6..1/2..4
 *     rank 3  3..5/0..2  3..4/5..6  3/4        4/3        5..6/3..4  0..2/3..5
 *     rank 4  4..6/1..3  4..5/6..0  4/5        5/4        6..0/4..5  1..3/4..6
 *     rank 5  5..0/2..4  5..6/0..1  5/6        6/5        0..1/5..6  2..4/5..0
 *     rank 6  6..1/3..5  6..0/1..2  6/0        0/6        1..2/6..0  3..5/6..1
 *
 * Invariants: before round k of the reduce-scatter, OUT holds partial results of the parts r .. r+skip[k+1]-1 (k = q-1: the
 * rank's own operands, some of them in IN alone). The partial results of part c, at all ranks that have one, cover each rank
 * once. After the last round, part r is complete. Before round k of the allgather, the parts r .. r+skip[k]-1 are complete.
 *
 * So the order of a part's operands depends on p and the part alone, not on n or w. It is not the order of the ranks. Each
 * part is computed at one rank: all ranks get the same bits.
 */
#include "circulant.h"
#include "part_pieces.h"

/* The use of cursor.state: the coming stage, its coming piece, and that piece's step number. */
enum { STAGE, PIECE, WHEN };

/* Stage 0 copies; stages 1 .. q are the reduce-scatter's rounds, and the next q the allgather's. */
enum { COPYING };

/* Of a stage after COPYING. */
static int round_of(int q, int64_t stage)
{
    return (int)(stage <= q ? q - stage : stage - q - 1);
}

static int64_t parts_in(const struct shape *s, int64_t stage)
{
    const int q = ceil_log2(s->ranks), k = round_of(q, stage);
    return stage == COPYING ? circulant_skip(s->ranks, q, q - 1)
                            : circulant_skip(s->ranks, q, k + 1) - circulant_skip(s->ranks, q, k);
}

static int64_t pieces_in(const struct shape *s, int64_t stage)
{
    return parts_pieces(s, s->ranks, parts_in(s, stage));
}

static bool goes_around(const struct shape *s, struct piece x)
{
    return x.block + x.more >= s->blocks;
}

/* With the u-th pieces of a round, in step `when`. */
static void push_round(struct cursor *c, const struct schedule *s, int64_t stage, int64_t u, int64_t when)
{
    const struct shape *shape = &s->shape;
    const int q = ceil_log2(shape->ranks), k = round_of(q, stage);
    const bool gather = stage > q;
    const int64_t skip = circulant_skip(shape->ranks, q, k), ahead = gather ? -skip : skip;
    const int64_t parts = parts_in(shape, stage), other = s->rank + skip;
    struct piece out =
        parts_piece(shape, shape->ranks, k == q - 1 && !gather ? SLOT_IN : SLOT_OUT, gather ? s->rank : other, parts, u);
    struct piece in = parts_piece(shape, shape->ranks, SLOT_T0, gather ? other : s->rank, parts, u);
    const bool sends = out.more >= 0, receives = in.more >= 0;

    if (sends && goes_around(shape, out)) {
        cursor_push_piece(c, s, STEP_COPY, out.slot, SLOT_T1, out);
        out.slot = SLOT_T1;
    }
    if (gather && !goes_around(shape, in))
        in.slot = SLOT_OUT;
    if (sends || receives)
        cursor_push(c, s,
                    (struct step){.kind = STEP_EXCHANGE,
                                  .when = when,
                                  .to = sends ? rank_after(shape, s->rank, ahead) : NOBODY,
                                  .from = receives ? rank_after(shape, s->rank, -ahead) : NOBODY,
                                  .a = out,
                                  .b = in});
    if (receives && in.slot == SLOT_T0)
        cursor_push_piece(c, s, gather ? STEP_COPY : STEP_FOLD, in.slot, SLOT_OUT, in);
}

static void push_copy(struct cursor *c, const struct schedule *s, int64_t u)
{
    const struct piece x = parts_piece(&s->shape, s->shape.ranks, SLOT_IN, s->rank, parts_in(&s->shape, COPYING), u);
    if (x.more >= 0)
        cursor_push_piece(c, s, STEP_COPY, x.slot, SLOT_OUT, x);
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    const int q = ceil_log2(s->shape.ranks);
    while (c->state[STAGE] <= 2 * q && c->last == 0) {
        const int64_t stage = c->state[STAGE], u = c->state[PIECE]++, when = c->state[WHEN]++;
        if (c->state[PIECE] == pieces_in(&s->shape, stage)) {
            c->state[STAGE]++;
            c->state[PIECE] = 0;
        }
        if (stage == COPYING)
            push_copy(c, s, u);
        else
            push_round(c, s, stage, u, when);
    }
    return c->last > 0;
}

void circulant_allreduce(struct schedule *s)
{
    s->refill = refill;
    s->start[STAGE] = COPYING;
    s->start[WHEN] = -pieces_in(&s->shape, COPYING); /* the first exchange has number 0 */
}

struct round_bound circulant_allreduce_round_bound(const struct shape *s)
{
    const int q = ceil_log2(s->ranks);
    int64_t rounds = 0;
    for (int stage = 1; stage <= 2 * q; stage++)
        rounds += pieces_in(s, stage);
    return (struct round_bound){.slope = 0, .latency = (double)rounds};
}

/* All ranks do the same work. Copies do not count. */
struct rank_work circulant_allreduce_work(const struct shape *s)
{
    const double p = s->ranks, all_but_one = (p - 1) / p;
    return (struct rank_work){.between.rounds = circulant_allreduce_round_bound(s).latency,
                              .between.sent = 2 * all_but_one,
                              .folded = all_but_one};
}
