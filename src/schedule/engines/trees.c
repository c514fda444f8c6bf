/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The schedule of broadcast, reduction and allreduce over pipelined binary trees; see trees.h.
 *
 * Broadcast: node x of a tree gets its first block in step d(x) = d(parent) + hop(x), with d = -1 outside the tree. It
 * gets its j-th block in step d(x) + 2j. Two siblings differ in hop, so a node sends to its children in steps of
 * different parity.
 *
 * Reduction: the same with time reversed. Step t becomes T-1-t for some T that all ranks know, and send becomes receive.
 * The blocks are renumbered to ascend. In a tree of k blocks node x sends its j-th block to its parent in step A(x) + 2j,
 * where A(x) = T-1 - d(x) - 2(k-1). It receives from a child c in steps A(x) - hop(c) + 2j: first from the child of hop 2,
 * while it sends the block before.
 *
 * Allreduce: the reduction to rank 0, and then the broadcast from there, whose first step is number T.
 *
 * In in-order trees a node sends left (+) IN (+) right. doc/two-trees lists the slots. A node with one child needs two.
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

/* The blocks that a tree carries: the first half in tree 1, whose root is fed first; in tree 0 the rest, or all. */
static struct lane share(const struct forest *f, const struct shape *s, int t)
{
    int64_t first = f->trees == 1 ? 0 : s->blocks - s->blocks / 2;
    struct lane lane = {.period = 2, .block = first, .left = s->blocks - first};
    if (t == 1)
        lane = (struct lane){.period = 2, .block = 0, .left = first};
    return lane;
}

/* The node of a rank; p-1 for the root. */
static int node_of(const struct shape *s, int root, int rank)
{
    return rank_after(s, rank, -root - 1);
}

/* The rank of a node. */
static int rank_of(const struct shape *s, int root, int node)
{
    return rank_after(s, root, node + 1);
}

/* The view of a rank in tree t. `root`, the source, is not in the tree. */
static struct tree_view view_of(const struct forest *f, const struct shape *s, int root, int rank, int t)
{
    const int m = s->ranks - 1, x = node_of(s, root, rank), top = f->root(m, t);
    struct tree_view v = {.parent = NOBODY, .child = {NOBODY, NOBODY}, .down = -1, .share = share(f, s, t)};
    int child[2] = {top, -1};
    if (x < m) {
        const int parent = f->parent(m, t, x);
        f->children(m, t, x, child);
        v.parent = parent < 0 ? root : rank_of(s, root, parent);
        v.down = first_step(f, m, t, x);
    }
    for (int i = LEFT; i <= RIGHT; i++)
        if (child[i] >= 0) {
            v.child[i] = rank_of(s, root, child[i]);
            v.child_down[i] = v.down + f->hop(m, t, child[i]);
        }
    return v;
}

void tree_bcast(struct schedule *s, const struct tree_view *x, int64_t start)
{
    struct lane lane = x->share;
    lane.slot = SLOT_OUT;
    lane.leg = LEG_RECV;
    lane.peer = x->parent;
    lane.when = start + x->down;
    if (lane.peer != NOBODY)
        schedule_lane(s, lane);
    lane.leg = LEG_SEND;
    for (int i = LEFT; i <= RIGHT; i++) {
        lane.peer = x->child[i];
        lane.when = start + x->child_down[i];
        if (lane.peer != NOBODY)
            schedule_lane(s, lane);
    }
}

struct lane trees_timed(struct lane lane, const struct clock *c, int64_t d)
{
    lane.when = c->dilation * (c->end - 1 - d - 2 * (lane.left - 1));
    lane.period = 2 * c->dilation;
    return lane;
}

/*
 * Adds the lanes of a node: `from` its left and right child (empty: there is no such child) and `to` its parent. Sets the
 * slots in which the node combines the children's blocks with its own: T0 .. T3, or with one child T(base) and the next.
 */
static void combine(struct schedule *s, struct lane from[2], struct lane to, int base)
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

/* Adds the lane `in` from the root of a tree to this rank, the source. If another rank is the root, sends the result on. */
static void finish(struct schedule *s, struct lane in)
{
    struct lane on = in;
    in.leg = LEG_RECV;
    in.slot = SLOT_T0;
    on.leg = LEG_SEND;
    on.peer = s->shape.root;
    on.slot = SLOT_T0;
    on.when++;
    if (s->shape.ordered && s->rank == 0) { /* IN is the lowest operand, and used up before OUT is written */
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

void tree_reduce(struct schedule *s, const struct tree_view *x, const struct clock *c, int base)
{
    struct lane from[2] = {0}, to = trees_timed(x->share, c, x->down);
    for (int i = LEFT; i <= RIGHT; i++)
        if (x->child[i] != NOBODY) {
            from[i] = trees_timed(x->share, c, x->child_down[i]);
            from[i].leg = LEG_RECV;
            from[i].peer = x->child[i];
        }
    to.leg = LEG_SEND;
    to.peer = x->parent;
    if (x->parent != NOBODY)
        combine(s, from, to, base);
    else
        finish(s, from[x->child[LEFT] != NOBODY ? LEFT : RIGHT]);
}

void tree_take_result(struct schedule *s, struct lane share, const struct clock *c, int64_t d, int source)
{
    struct lane in = trees_timed(share, c, d);
    in.leg = LEG_RECV;
    in.peer = source;
    in.slot = SLOT_OUT;
    in.when++;
    schedule_lane(s, in);
}

/* The reduction; returns the number of the step after its last. */
static int64_t reduce(const struct forest *f, struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const bool interior = shape_interior(shape);
    const int m = shape->ranks - 1, root = interior ? 0 : shape->root;
    const int64_t longest = f->trees == 1 ? shape->blocks : shape->blocks - shape->blocks / 2;
    const struct clock c = {.end = 2 * (longest + ceil_log2(shape->ranks) + 2), .dilation = interior ? 2 : 1};

    for (int t = 0; t < f->trees; t++) {
        const struct tree_view x = view_of(f, shape, root, s->rank, t);
        tree_reduce(s, &x, &c, 0);
        if (interior && s->rank == shape->root)
            tree_take_result(s, x.share, &c, f->hop(m, t, f->root(m, t)) - 1, 0);
    }
    return c.dilation * c.end;
}

void trees_generate(const struct forest *f, struct schedule *s)
{
    int64_t start = 0;
    if (s->shape.collective != COLL_BCAST)
        start = reduce(f, s);
    for (int t = 0; t < f->trees && s->shape.collective != COLL_REDUCE; t++) {
        const struct tree_view x = view_of(f, &s->shape, s->shape.root, s->rank, t);
        tree_bcast(s, &x, start);
    }
}

/* 2q-3+2n rounds with one tree, 2q-1+n with two; twice as many at an interior root, and for an allreduce. */
struct round_bound trees_round_bound(const struct forest *f, const struct shape *shape)
{
    int times = shape_interior(shape) || shape->collective == COLL_ALLREDUCE ? 2 : 1, slope = 2 / f->trees;
    int latency = shape->ranks > 1 ? 2 * ceil_log2(shape->ranks) + 1 - 2 * slope : 0;
    return (struct round_bound){.slope = times * slope, .latency = times * latency};
}
