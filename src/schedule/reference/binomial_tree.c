/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recursive doubling, one-to-all and all-to-one: the engine binomial's broadcast and reduction. doc/classics says more.
 *
 * A. Grama, A. Gupta, G. Karypis, V. Kumar, "Introduction to Parallel Computing", 2nd ed. 2003, Sect. 4.1, algorithms 4.1
 * to 4.3. The book has two errors: relabelling by XOR is right only for p = 2^d, and algorithm 4.3 lacks a "!= 0".
 *
 * The positions are v = (rank - root) mod p. Dimensions run from q-1 down to 0. In dimension i, the positions whose lower
 * i bits are 0 take part: v sends to v + 2^i if bit i of v is 0 and there is such a position. The reduction reverses
 * this: it runs from dimension 0 up, and v + 2^i sends to v, which then holds v .. v + 2^(i+1) - 1.
 *
 * Example, broadcast from root 0, p = 6, n = 2; the block received / the block sent:
 *
 *     step     0    1    2    3    4    5
 *     rank 0  -/0  -/0  -/0  -/1  -/1  -/1
 *     rank 1            0/-            1/-
 *     rank 2       0/-  -/0       1/-  -/1
 *     rank 3            0/-            1/-
 *     rank 4  0/-       -/0  1/-       -/1
 *     rank 5            0/-            1/-
 *
 * A block is done before the next one comes: q*n rounds, and scratch for single blocks alone. An ordered reduction keeps
 * the order at root 0 and, with the positions v = p-1-rank, at root p-1. For another root it goes to rank 0, which sends
 * each block on: (q+1)*n rounds.
 *
 * Invariant of the reduction: the ranks of an arriving operand are next to those of the partial result: above them if v
 * counts upwards, else below. A fold leaves its result in the operand that holds the higher ranks. So after an operand from
 * above, the partial result lies in the operand's slot, T0 and T1 by turns. After an operand from below it stays in its
 * slot.
 */
#include "binomial_tree.h"

static int rank_at(const struct binomial_tree *d, int64_t v)
{
    return rank_after(d->shape, d->top, d->down ? -v : v);
}

void binomial_tree_begin(struct binomial_tree *d, int rank)
{
    d->v = d->down ? d->top - rank : rank_after(d->shape, rank, -d->top);
    d->slot = SLOT_IN;
}

void binomial_tree_bcast(struct schedule *s, const struct binomial_tree *d, struct positions positions, int64_t step)
{
    int x = (d->v - positions.first) / positions.stride; /* label of this rank in the line's hypercube */
    struct lane lane = {.slot = SLOT_OUT, .when = step, .period = d->period, .left = d->shape->blocks};
    for (int i = ceil_log2(positions.count) - 1; i >= 0; i--, lane.when++) {
        int bit = 1 << i;
        if (x & (bit - 1))
            continue;
        lane.leg = x & bit ? LEG_RECV : LEG_SEND;
        if (lane.leg == LEG_SEND && positions.count - x <= bit)
            continue; /* x + 2^i is not there */
        lane.peer = rank_at(d, d->v + (int64_t)(x & bit ? -bit : bit) * positions.stride);
        schedule_lane(s, lane);
    }
}

/* Sets the actions for an operand that comes in: it is combined into d->slot. */
static void combine(struct binomial_tree *d, struct lane *in)
{
    if (!d->down) {
        in->slot = d->slot == SLOT_T0 ? SLOT_T1 : SLOT_T0;
        in->after[0] = (struct act){STEP_FOLD, (uint8_t)d->slot, in->slot};
        d->slot = in->slot;
        return;
    }
    struct act *act = in->after;
    in->slot = SLOT_T0;
    if (d->slot == SLOT_IN) {
        d->slot = d->v == 0 ? SLOT_OUT : SLOT_T1;
        *act++ = (struct act){STEP_COPY, SLOT_IN, (uint8_t)d->slot};
    }
    *act = (struct act){STEP_FOLD, SLOT_T0, (uint8_t)d->slot};
}

void binomial_tree_reduce(struct schedule *s, struct binomial_tree *d, struct positions positions, int64_t step)
{
    int x = (d->v - positions.first) / positions.stride, dimensions = ceil_log2(positions.count);
    for (int i = 0; i < dimensions; i++) {
        int bit = 1 << i;
        struct lane lane = {.when = step + i, .period = d->period, .left = d->shape->blocks};
        if (x & bit) {
            lane.leg = LEG_SEND;
            lane.slot = (uint8_t)d->slot;
            lane.peer = rank_at(d, d->v - (int64_t)bit * positions.stride);
            schedule_lane(s, lane);
            return;
        }
        if (positions.count - x <= bit)
            continue; /* x + 2^i is not there */
        lane.leg = LEG_RECV;
        lane.peer = rank_at(d, d->v + (int64_t)bit * positions.stride);
        combine(d, &lane);
        schedule_lane(s, lane);
    }
}

void binomial_tree_finish(struct schedule *s, const struct binomial_tree *d)
{
    if (d->slot != SLOT_OUT)
        s->lane[s->lanes - 1].after[1] = (struct act){STEP_COPY, (uint8_t)d->slot, SLOT_OUT};
}

/* ---- All ranks -------------------------------------------------------------------------------------------------------- */

struct round_bound binomial_round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = ceil_log2(s->ranks) + shape_interior(s), .latency = 0};
}

void binomial_bcast(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    struct binomial_tree d = {.shape = shape, .top = shape->root, .period = ceil_log2(shape->ranks)};
    binomial_tree_begin(&d, s->rank);
    binomial_tree_bcast(s, &d, (struct positions){0, 1, shape->ranks}, 0);
}

void binomial_reduce(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    int p = shape->ranks, q = ceil_log2(p), root = shape->root;
    bool forward = shape_interior(shape);
    struct binomial_tree d = {
        .shape = shape, .top = forward ? 0 : root, .down = shape->ordered && root == p - 1, .period = q + forward};
    binomial_tree_begin(&d, s->rank);
    binomial_tree_reduce(s, &d, (struct positions){0, 1, p}, 0);
    struct lane on = {.leg = LEG_SEND, .peer = root, .slot = (uint8_t)d.slot};
    if (s->rank == root)
        on = (struct lane){.leg = LEG_RECV, .peer = 0, .slot = SLOT_OUT};
    on.when = q;
    on.period = d.period;
    on.left = forward && (s->rank == 0 || s->rank == root) ? shape->blocks : 0;
    schedule_lane(s, on);
    if (!forward && s->rank == root)
        binomial_tree_finish(s, &d);
}
