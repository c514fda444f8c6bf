/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recursive doubling, one-to-all and all-to-one: the engine binomial's broadcast and reduction; see doc/classics.
 *
 * A. Grama, A. Gupta, G. Karypis, V. Kumar, "Introduction to Parallel Computing", 2nd ed. 2003, Sect. 4.1, algorithms 4.1 to
 * 4.3. The book has two errors: XOR is right only for p = 2^d, and algorithm 4.3 lacks a "!= 0".
 *
 * The positions are v = (rank - root) mod p. In dimension i = q-1 .. 0, v sends to v + 2^i if the lower i bits of v and bit
 * i are 0 and there is such a position. The reduction reverses this.
 *
 * Example, broadcast from root 0, p = 6, n = 2:
 *
 *     step     0    1    2    3    4    5
 *     rank 0  -/0  -/0  -/0  -/1  -/1  -/1
 *     rank 1            0/-            1/-
 *     rank 2       0/-  -/0       1/-  -/1
 *     rank 3            0/-            1/-
 *     rank 4  0/-       -/0  1/-       -/1
 *     rank 5            0/-            1/-
 *
 * An ordered reduction takes v = p-1-rank at root p-1; for another root but 0, rank 0 sends each block on.
 *
 * Invariant of the reduction: operands arrive from above the partial result if v counts upwards, else from below. A fold
 * leaves its result in the higher operand's slot: T0 and T1 by turns, or one slot.
 */
#include "binomial_tree.h"

struct binomial {
    const struct shape *shape;
    int top;   /* the rank at position 0 */
    bool down; /* v is rank top - v; else (top + v) mod p */
    int v;
    int64_t period;
    int slot;
};

static int rank_at(const struct binomial *d, int64_t v)
{
    return rank_after(d->shape, d->top, d->down ? -v : v);
}

/* Lanes of block 0 along the line, from `step` on, a dimension a step. */
static void add_bcast(struct schedule *s, const struct binomial *d, struct binomial_line line, int64_t step)
{
    int x = (d->v - line.first) / line.stride;
    struct lane lane = {.slot = SLOT_OUT, .when = step, .period = d->period, .left = d->shape->blocks};
    for (int i = ceil_log2(line.count) - 1; i >= 0; i--, lane.when++) {
        int bit = 1 << i;
        if (x & (bit - 1))
            continue;
        lane.leg = x & bit ? LEG_RECV : LEG_SEND;
        if (lane.leg == LEG_SEND && line.count - x <= bit)
            continue;
        lane.peer = rank_at(d, d->v + (int64_t)(x & bit ? -bit : bit) * line.stride);
        schedule_lane(s, lane);
    }
}

/* Slot and actions of an incoming operand; d->slot becomes the combination's. */
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
            continue;
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
