/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The schedule of broadcast, reduction and allreduce over pipelined binary trees; see trees.h.
 *
 * Broadcast: node x of a tree gets its first block in step d(x) = d(parent) + hop(x), with d = -1 outside the tree. It
 * gets its j-th block in step d(x) + 2j. Two siblings differ in hop, so a node sends to its children in steps of
 * different parity.
 *
 * Reduction: the same with time reversed. Step t becomes T-1-t for some T that all ranks know, and send becomes receive.
 * The blocks are renumbered to ascend. In a tree of k blocks node x sends its j-th to its parent in step A(x) + 2j, A(x)
 * = T-1 - d(x) - 2(k-1). It receives from a child c in steps A(x) - hop(c) + 2j: from the child of hop 2 first, while the
 * block before is sent.
 *
 * Allreduce: the reduction to rank 0, and after it the broadcast from there, step 0 of which is number T.
 *
 * A node sends left (+) x (+) right, for trees that are in-order. doc/two-trees says in which slots. A node with one child
 * needs two slots. No node has children in both trees; see trees.h.
 */
#include "trees.h"

#include "two_tree.h"

#include <assert.h>

static int64_t first_step(const struct forest *f, int m, int t, int x)
{
    int64_t d = -1;
    for (; x >= 0; x = f->parent(m, t, x))
        d += f->hop(m, t, x);
    return d;
}

/* The blocks that a tree carries: tree 1, whose root is fed first, the first half; tree 0 the rest, or all. */
static struct lane share(const struct forest *f, const struct shape *s, int t)
{
    int64_t first = f->trees == 1 ? 0 : s->blocks - s->blocks / 2;
    struct lane lane = {.period = 2, .block = first, .left = s->blocks - first};
    if (t == 1)
        lane = (struct lane){.period = 2, .block = 0, .left = first};
    return lane;
}

/* Node of a rank, p-1 for the root; and the other way. */
static int node_of(const struct shape *s, int root, int rank)
{
    return rank_after(s, rank, -root - 1);
}

static int rank_of(const struct shape *s, int root, int node)
{
    return rank_after(s, root, node + 1);
}

/* The broadcast, of which step 0 has that number. */
static void bcast(const struct forest *f, struct schedule *s, int64_t start)
{
    const struct shape *shape = &s->shape;
    int m = shape->ranks - 1, root = shape->root, x = node_of(shape, root, s->rank);

    for (int t = 0; t < f->trees && m > 0; t++) {
        int child[2] = {f->root(m, t), -1}; /* the root's */
        struct lane lane = share(f, shape, t);
        int64_t d = -1;
        lane.slot = SLOT_OUT;
        if (x < m) {
            f->children(m, t, x, child);
            d = first_step(f, m, t, x);
            int parent = f->parent(m, t, x);
            lane.leg = LEG_RECV;
            lane.peer = parent < 0 ? root : rank_of(shape, root, parent);
            lane.when = start + d;
            schedule_lane(s, lane);
        }
        lane.leg = LEG_SEND;
        for (int i = 0; i < 2; i++)
            if (child[i] >= 0) {
                lane.peer = rank_of(shape, root, child[i]);
                lane.when = start + d + f->hop(m, t, child[i]);
                schedule_lane(s, lane);
            }
    }
}

struct lane trees_timed(struct lane lane, const struct clock *c, int64_t d)
{
    lane.when = c->dilation * (c->end - 1 - d - 2 * (lane.left - 1));
    lane.period = 2 * c->dilation;
    return lane;
}

void trees_combine(struct schedule *s, struct lane from[2], struct lane to, int base)
{
    const uint8_t t0 = (uint8_t)(SLOT_T0 + base), t1 = (uint8_t)(t0 + 1);
    bool left = from[LEFT].left > 0, right = from[RIGHT].left > 0, both = left && right;
    int first = !right || (both && from[LEFT].when < from[RIGHT].when) ? LEFT : RIGHT;
    assert(!both || base == 0);
    to.slot = SLOT_IN;
    if (left && first == LEFT && s->shape.ordered) {
        /* IN is appended to what comes from the left. */
        uint8_t arrived = both ? SLOT_T2 : t0, sum = both ? SLOT_T3 : t1;
        from[LEFT].slot = arrived;
        from[LEFT].after[0] = (struct act){STEP_COPY, SLOT_IN, sum};
        from[LEFT].after[1] = (struct act){STEP_FOLD, arrived, sum};
        to.slot = sum;
        if (both) {
            from[RIGHT].slot = to.slot = SLOT_T0;
            from[RIGHT].after[0] = (struct act){STEP_FOLD, sum, SLOT_T0};
        }
    } else if (left || right) {
        from[first].slot = to.slot = t0 | SLOT_ALTERNATE;
        from[first].after[0] = (struct act){STEP_FOLD, SLOT_IN, t0 | SLOT_ALTERNATE};
        if (both) {
            from[!first].slot = SLOT_T2;
            from[!first].after[0] = (struct act){STEP_FOLD, SLOT_T2, SLOT_T0 | SLOT_ALTERNATE};
        }
    }
    for (int i = LEFT; i <= RIGHT; i++)
        schedule_lane(s, from[i]);
    schedule_lane(s, to);
}

/* The messages of node x in one tree: from its children, combined with IN, to its parent. */
static void reduce_node(const struct forest *f, struct schedule *s, const struct clock *c, int root, int t, int x)
{
    const struct shape *shape = &s->shape;
    int m = shape->ranks - 1, child[2], parent = f->parent(m, t, x);
    int64_t d = first_step(f, m, t, x);
    struct lane from[2] = {0}, to = trees_timed(share(f, shape, t), c, d);

    f->children(m, t, x, child);
    for (int i = LEFT; i <= RIGHT; i++)
        if (child[i] >= 0) {
            from[i] = trees_timed(share(f, shape, t), c, d + f->hop(m, t, child[i]));
            from[i].leg = LEG_RECV;
            from[i].peer = rank_of(shape, root, child[i]);
        }
    to.leg = LEG_SEND;
    to.peer = parent < 0 ? root : rank_of(shape, root, parent);
    trees_combine(s, from, to, 0);
}

void trees_finish(struct schedule *s, struct lane in)
{
    struct lane on = in;
    in.leg = LEG_RECV;
    in.slot = SLOT_T0;
    on.leg = LEG_SEND;
    on.peer = s->shape.root;
    on.slot = SLOT_T0;
    on.when++;
    if (s->shape.ordered && s->rank == 0) { /* IN is the lowest, and used up before OUT is written */
        in.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_T0};
        if (s->shape.root == s->rank)
            in.after[1] = (struct act){STEP_COPY, SLOT_T0, SLOT_OUT};
        else
            schedule_lane(s, on);
    } else {
        in.after[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};
        in.after[1] = (struct act){STEP_FOLD, SLOT_T0, SLOT_OUT};
    }
    schedule_lane(s, in);
}

/* The messages of the root of the reduction proper, rank `root`: from the roots of the trees; on to shape->root if other. */
static void reduce_root(const struct forest *f, struct schedule *s, const struct clock *c, int root)
{
    int m = s->shape.ranks - 1;
    for (int t = 0; t < f->trees; t++) {
        int top = f->root(m, t);
        struct lane in = trees_timed(share(f, &s->shape, t), c, f->hop(m, t, top) - 1);
        in.peer = rank_of(&s->shape, root, top);
        trees_finish(s, in);
    }
}

/* The reduction; returns the number of the step after its last. */
static int64_t reduce(const struct forest *f, struct schedule *s)
{
    const struct shape *shape = &s->shape;
    int p = shape->ranks, m = p - 1;
    bool interior = shape_interior(shape);
    int root = interior ? 0 : shape->root, x = node_of(shape, root, s->rank);
    int64_t longest = f->trees == 1 ? shape->blocks : shape->blocks - shape->blocks / 2;
    const struct clock c = {.end = 2 * (longest + ceil_log2(p) + 2), .dilation = interior ? 2 : 1};

    if (x == m)
        reduce_root(f, s, &c, root);
    for (int t = 0; t < f->trees && x < m; t++)
        reduce_node(f, s, &c, root, t, x);
    if (interior && s->rank == shape->root)
        for (int t = 0; t < f->trees; t++) {
            struct lane in = trees_timed(share(f, shape, t), &c, f->hop(m, t, f->root(m, t)) - 1);
            in.leg = LEG_RECV;
            in.peer = 0;
            in.slot = SLOT_OUT;
            in.when++;
            schedule_lane(s, in);
        }
    return c.dilation * c.end;
}

void trees_generate(const struct forest *f, struct schedule *s)
{
    int64_t start = 0;
    if (s->shape.collective != COLL_BCAST)
        start = reduce(f, s);
    if (s->shape.collective != COLL_REDUCE)
        bcast(f, s, start);
}

/* 2q-3+2n rounds with one tree, 2q-1+n with two; twice that at an interior root, and for a reduction and a broadcast. */
struct round_bound trees_round_bound(const struct forest *f, const struct shape *shape)
{
    int times = shape_interior(shape) || shape->collective == COLL_ALLREDUCE ? 2 : 1, slope = 2 / f->trees;
    int latency = shape->ranks > 1 ? 2 * ceil_log2(shape->ranks) + 1 - 2 * slope : 0;
    return (struct round_bound){.slope = times * slope, .latency = times * latency};
}
