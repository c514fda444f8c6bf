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
 * counts upwards, else below. A fold leaves its result in the slot of the operand with the higher ranks. So after an operand
 * from above, the partial result lies in that operand's slot, T0 and T1 by turns. After an operand from below, the partial
 * result stays in its slot.
 */
#include "binomial_tree.h"

/* A rank in a tree over all ranks, and how far its schedule is made. */
struct binomial {
    const struct shape *shape;
    int top;        /* the rank at position 0, where a broadcast begins and a reduction ends */
    bool down;      /* position v is rank top - v; else (top + v) mod p */
    int v;          /* this rank's position */
    int64_t period; /* steps between two blocks */
    int slot;       /* reduction: where this rank's partial result lies */
};

static int rank_at(const struct binomial *d, int64_t v)
{
    return rank_after(d->shape, d->top, d->down ? -v : v);
}

/* Adds the lanes by which block 0 goes from the line's first position to the others, from `step` on, a dimension a step. */
static void add_bcast(struct schedule *s, const struct binomial *d, struct binomial_line line, int64_t step)
{
    int x = (d->v - line.first) / line.stride; /* label of this rank in the line's hypercube */
    struct lane lane = {.slot = SLOT_OUT, .when = step, .period = d->period, .left = d->shape->blocks};
    for (int i = ceil_log2(line.count) - 1; i >= 0; i--, lane.when++) {
        int bit = 1 << i;
        if (x & (bit - 1))
            continue;
        lane.leg = x & bit ? LEG_RECV : LEG_SEND;
        if (lane.leg == LEG_SEND && line.count - x <= bit)
            continue; /* x + 2^i is not there */
        lane.peer = rank_at(d, d->v + (int64_t)(x & bit ? -bit : bit) * line.stride);
        schedule_lane(s, lane);
    }
}

/*
 * Sets the slot and the actions of a lane by which an operand comes in, to be combined with the partial result. Sets d->slot
 * to the slot of the combination.
 */
static void combine(struct binomial *d, struct lane *in)
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

/* Adds the lanes of a reduction, which reverses add_bcast(): partial results go to the first position, combined in order. */
static void add_reduce(struct schedule *s, struct binomial *d, struct binomial_line line, int64_t step)
{
    int x = (d->v - line.first) / line.stride, dimensions = ceil_log2(line.count);
    for (int i = 0; i < dimensions; i++) {
        int bit = 1 << i;
        struct lane lane = {.when = step + i, .period = d->period, .left = d->shape->blocks};
        if (x & bit) {
            lane.leg = LEG_SEND;
            lane.slot = (uint8_t)d->slot;
            lane.peer = rank_at(d, d->v - (int64_t)bit * line.stride);
            schedule_lane(s, lane);
            return;
        }
        if (line.count - x <= bit)
            continue; /* x + 2^i is not there */
        lane.leg = LEG_RECV;
        lane.peer = rank_at(d, d->v + (int64_t)bit * line.stride);
        combine(d, &lane);
        schedule_lane(s, lane);
    }
}

static bool is_on(const struct binomial_line *line, int v)
{
    return v >= line->first && (v - line->first) % line->stride == 0;
}

/* Brings the result to OUT: by a copy at the root; for an interior root, by lanes from rank 0 to the root. */
static void add_result(struct schedule *s, const struct binomial *d, bool forward)
{
    const int root = s->shape.root;
    struct lane on = {.leg = LEG_SEND, .peer = root, .slot = (uint8_t)d->slot, .left = s->shape.blocks};
    if (forward && s->rank == root)
        on = (struct lane){.leg = LEG_RECV, .peer = 0, .slot = SLOT_OUT, .left = s->shape.blocks};
    on.when = d->period - 1;
    on.period = d->period;
    if (forward && (s->rank == 0 || s->rank == root))
        schedule_lane(s, on);
    if (!forward && s->rank == root && d->slot != SLOT_OUT)
        s->lane[s->lanes - 1].after[1] = (struct act){STEP_COPY, (uint8_t)d->slot, SLOT_OUT};
}

void binomial_generate(struct schedule *s, binomial_lines *lines_of)
{
    const struct shape *shape = &s->shape;
    const bool reduces = shape->collective == COLL_REDUCE, forward = shape_interior(shape);
    struct binomial d = {.shape = shape, .top = forward ? 0 : shape->root, .period = forward, .slot = SLOT_IN};
    struct binomial_line line[BINOMIAL_LINES];
    d.down = reduces && shape->ordered && shape->root == shape->ranks - 1;
    d.v = d.down ? d.top - s->rank : rank_after(shape, s->rank, -d.top);
    const int lines = lines_of(shape->ranks, d.v, line);
    int64_t step = 0;
    for (int i = 0; i < lines; i++)
        d.period += line[i].steps;
    for (int i = 0; i < lines; i++) {
        const struct binomial_line *x = &line[reduces ? lines - 1 - i : i];
        if (is_on(x, d.v) && reduces)
            add_reduce(s, &d, *x, step);
        else if (is_on(x, d.v))
            add_bcast(s, &d, *x, step);
        step += x->steps;
    }
    if (reduces)
        add_result(s, &d, forward);
}

/* ---- All ranks -------------------------------------------------------------------------------------------------------- */

static int all_ranks(int p, int v, struct binomial_line line[BINOMIAL_LINES])
{
    (void)v;
    line[0] = (struct binomial_line){0, 1, p, ceil_log2(p)};
    return 1;
}

void binomial_tree(struct schedule *s)
{
    binomial_generate(s, all_ranks);
}

struct round_bound binomial_round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = ceil_log2(s->ranks) + shape_interior(s), .latency = 0};
}
