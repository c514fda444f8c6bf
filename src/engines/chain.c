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
 *     reduction       the root has the last position; in an ordered reduction to root 0, the ranks stand in reverse
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
 * Invariant of the ordered reduction and of the scans: a block that arrives at a position has the operands of all ranks at
 * the positions before. So the operand of the rank at this position is the next one.
 */
#include "trees.h"

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 1, .latency = s->ranks - 2};
}

/* The chain as a tree: the view of position v. Its only child, on side `side`, is rank + step. */
static struct tree_view view_of(const struct schedule *s, int v, int side, int step)
{
    const struct shape *shape = &s->shape;
    struct tree_view x = {.parent = {.peer = NOBODY, .down = v - 1, .up = NEVER}, .child = {no_edge, no_edge}};
    if (v > 0)
        x.parent.peer = rank_after(shape, s->rank, -step);
    if (v < shape->ranks - 1)
        x.child[side] = (struct tree_edge){.peer = rank_after(shape, s->rank, step), .down = v, .up = NEVER};
    tree_share_out(&x, tree_share(shape, 1, 1, 0));
    return x;
}

static void generate_bcast(struct schedule *s)
{
    const struct tree_view x = view_of(s, rank_after(&s->shape, s->rank, -s->shape.root), RIGHT, 1);
    tree_bcast(s, &x, 0);
}

/* The broadcast of a chain from the root, reversed. Here v counts from the root. */
static void generate_reduce(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const bool reverse = shape->ordered && shape->root == 0;
    const int v = reverse ? s->rank : rank_after(shape, shape->root, -s->rank);
    const struct tree_view x = view_of(s, v, reverse ? RIGHT : LEFT, reverse ? 1 : -1);
    tree_reduce(s, &x, &(struct clock){.end = shape->ranks - 2 + shape->blocks, .dilation = 1}, 0);
}

/* The first position has no `in`, the last no `out`. */
static void add_links(struct schedule *s, struct lane in, struct lane out)
{
    in.leg = LEG_RECV;
    in.peer = s->rank - 1;
    in.when = s->rank - 1;
    in.period = out.period = 1;
    in.left = s->rank > 0 ? s->shape.blocks : 0;
    out.leg = LEG_SEND;
    out.peer = s->rank + 1;
    out.when = s->rank;
    out.left = s->rank < s->shape.ranks - 1 ? s->shape.blocks : 0;
    schedule_lane(s, in);
    schedule_lane(s, out);
}

static void generate_scan(struct schedule *s)
{
    struct lane in = {.slot = SLOT_T0, .after = {{STEP_COPY, SLOT_IN, SLOT_OUT}, {STEP_FOLD, SLOT_T0, SLOT_OUT}}};
    struct lane out = {.slot = SLOT_OUT};
    if (s->rank == 0)
        out.before[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};
    add_links(s, in, out);
}

/*
 * A block that comes in is the result. This rank appends its own input to the block and sends the sum on. It copies the
 * input before the block comes in, as IN and OUT may be the same memory.
 */
static void generate_exscan(struct schedule *s)
{
    struct lane in = {.slot = SLOT_OUT}, out = {.slot = SLOT_IN};
    if (s->rank > 0 && s->rank < s->shape.ranks - 1) {
        in.before[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_T0 | SLOT_ALTERNATE};
        in.after[0] = (struct act){STEP_FOLD, SLOT_OUT, SLOT_T0 | SLOT_ALTERNATE};
        out.slot = SLOT_T0 | SLOT_ALTERNATE;
    }
    add_links(s, in, out);
}

#define PIPELINE .text.rounds = "p-2+n", .model.streams = true, .executor.chained = true, .round_bound = round_bound

const struct engine engine_chain = {
    .name = "chain",
    .summary = "linear pipeline through all ranks",
    .scratch = 2,
    .serves = {[COLL_BCAST] = {PIPELINE, .generate = generate_bcast},
               [COLL_REDUCE] = {PIPELINE, .needs = NEED_COMMUTATIVE_OR_END_ROOT, .generate = generate_reduce},
               [COLL_SCAN] = {PIPELINE, .generate = generate_scan},
               [COLL_EXSCAN] = {PIPELINE, .generate = generate_exscan}},
};
