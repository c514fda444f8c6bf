/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chain: a linear pipeline through all ranks. doc/classics says more.
 *
 * It is folklore. P. Sanders, J. Speck, J. L. Traeff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and
 * Scan", Parallel Computing 35 (2009), Sect. 2, analyse it as "linear pipeline".
 *
 * The ranks stand at positions v = 0 .. p-1. Position v receives block j in step v-1+j and sends it on in step v+j. So it
 * sends block j while block j+1 comes in. Rounds: p-2+n.
 *
 *     broadcast       position 0 is the root; the other ranks follow it in order, rank 0 after rank p-1
 *     reduction       the root is the last position; in order with root 0, the ranks stand in reverse
 *     scan, exscan    v = rank
 *
 * Example, broadcast from root 0, p = 4, n = 3; an entry is the block received / the block sent:
 *
 *     step     0    1    2    3    4
 *     rank 0  -/0  -/1  -/2
 *     rank 1  0/-  1/0  2/1  -/2
 *     rank 2       0/-  1/0  2/1  -/2
 *     rank 3            0/-  1/-  2/-
 *
 * Invariant of the ordered reduction and of the scans: a block that arrives at a position combines all ranks at the
 * positions before. So this rank's operand is the next one.
 */
#include "engine.h"

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 1, .latency = s->ranks - 2};
}

/* Adds the lanes of position v. The first position has no `in`, and the last no `out`. The next position is rank + step. */
static void add_links(struct schedule *s, int v, int step, struct lane in, struct lane out)
{
    const struct shape *shape = &s->shape;
    in.leg = LEG_RECV;
    in.peer = rank_after(shape, s->rank, -step);
    in.when = v - 1;
    in.period = 1;
    in.left = v > 0 ? shape->blocks : 0;
    out.leg = LEG_SEND;
    out.peer = rank_after(shape, s->rank, step);
    out.when = v;
    out.period = 1;
    out.left = v < shape->ranks - 1 ? shape->blocks : 0;
    schedule_lane(s, in);
    schedule_lane(s, out);
}

static void generate_bcast(struct schedule *s)
{
    const struct lane link = {.slot = SLOT_OUT};
    add_links(s, rank_after(&s->shape, s->rank, -s->shape.root), 1, link, link);
}

static void generate_reduce(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    int p = shape->ranks;
    bool down = shape->ordered && shape->root == 0;
    bool append = shape->ordered && !down; /* what arrives holds the lower ranks */
    int v = down ? p - 1 - s->rank : rank_after(shape, s->rank, -shape->root - 1);
    struct lane in = {.slot = SLOT_T0}, out = {.slot = SLOT_IN};

    if (v == p - 1 && down) {
        /* The root. IN is used up before OUT is written, as they may be the same memory. */
        in.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_T0};
        in.after[1] = (struct act){STEP_COPY, SLOT_T0, SLOT_OUT};
    } else if (v == p - 1) {
        in.after[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};
        in.after[1] = (struct act){STEP_FOLD, SLOT_T0, SLOT_OUT};
    } else if (v > 0 && append) {
        in.after[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_T1};
        in.after[1] = (struct act){STEP_FOLD, SLOT_T0, SLOT_T1};
        out.slot = SLOT_T1;
    } else if (v > 0) {
        in.slot = out.slot = SLOT_T0 | SLOT_ALTERNATE;
        in.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_T0 | SLOT_ALTERNATE};
    }
    add_links(s, v, down ? -1 : 1, in, out);
}

static void generate_scan(struct schedule *s)
{
    struct lane in = {.slot = SLOT_T0, .after = {{STEP_COPY, SLOT_IN, SLOT_OUT}, {STEP_FOLD, SLOT_T0, SLOT_OUT}}};
    struct lane out = {.slot = SLOT_OUT};
    if (s->rank == 0)
        out.before[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};
    add_links(s, s->rank, 1, in, out);
}

/*
 * A block that comes in is the result. This rank appends its own input to it and sends that on. It copies the input before
 * the block comes in, as IN and OUT may be the same memory.
 */
static void generate_exscan(struct schedule *s)
{
    struct lane in = {.slot = SLOT_OUT}, out = {.slot = SLOT_IN};
    if (s->rank > 0 && s->rank < s->shape.ranks - 1) {
        in.before[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_T0 | SLOT_ALTERNATE};
        in.after[0] = (struct act){STEP_FOLD, SLOT_OUT, SLOT_T0 | SLOT_ALTERNATE};
        out.slot = SLOT_T0 | SLOT_ALTERNATE;
    }
    add_links(s, s->rank, 1, in, out);
}

#define PIPELINE .text.rounds = "p-2+n", .model.streams = true, .executor.chained = true, .round_bound = round_bound

const struct engine engine_chain = {
    .name = "chain",
    .summary = "linear pipeline through all ranks",
    .trees = 1,
    .scratch = 2,
    .serves = {[COLL_BCAST] = {PIPELINE, .generate = generate_bcast},
               [COLL_REDUCE] = {PIPELINE, .needs = NEED_COMMUTATIVE_OR_END_ROOT, .generate = generate_reduce},
               [COLL_SCAN] = {PIPELINE, .generate = generate_scan},
               [COLL_EXSCAN] = {PIPELINE, .generate = generate_exscan}},
};
