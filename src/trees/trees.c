/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast, reduction and allreduce over pipelined binary trees; see doc/two-trees.
 *
 * Broadcast: node x gets block j in step d(x) + 2j, d(x) = d(parent) + hop(x), from -1 at the root's parent.
 *
 * Reduction: step t becomes T-1-t, blocks are renumbered to ascend: of k blocks, x sends block j up in step A(x) + 2j, A(x)
 * = T-1 - d(x) - 2(k-1), and receives from a child c in steps A(x) - hop(c) + 2j.
 *
 * Allreduce: the reduction to rank 0, then its broadcast from step T on.
 *
 * In in-order trees a node sends left (+) IN (+) right. doc/two-trees lists the slots: two for a node with one child.
 */
#include "trees.h"

#include "cut.h"

#include <assert.h>

const struct tree_edge no_edge = {.peer = NOBODY, .down = NEVER, .up = NEVER};

struct lane tree_share(const struct shape *shape, int64_t period, int parts, int part)
{
    const int64_t n = shape->blocks, first = part_offset(n, parts, part);
    return (struct lane){.period = period, .block = first, .left = part_offset(n, parts, part + 1) - first};
}

void tree_share_out(struct tree_view *x, struct lane share)
{
    x->parent.share = x->child[LEFT].share = x->child[RIGHT].share = share;
}

/* ---- Views by formulas ------------------------------------------------------------------------------------------------ */

int hop_by_side(int m, int t, int x, int parent)
{
    (void)m;
    (void)t;
    return 1 + (parent != NOBODY && x > parent);
}

static struct tree_edge edge_to(const struct family *f, const struct gait *gait, int m, int t, int child, int parent,
                                struct tree_edge above)
{
    struct tree_edge edge = no_edge;
    if (child == NOBODY)
        return edge;
    edge.peer = child;
    const int hop = f->hop(m, t, child, parent);
    edge.down = above.down + gait->down[hop - 1];
    if (above.up != NEVER)
        edge.up = above.up - gait->up[hop - 1];
    else if (child < parent)
        edge.up = above.down + 3 - 2 * hop;
    return edge;
}

/* From the root, whose edge is `above`, down to x. *left: all edges of the way lead left. */
static struct tree_view find(const struct family *f, const struct gait *gait, int m, int t, int x, struct tree_edge above,
                             bool *left)
{
    const int position = f->position ? f->position(m, t, x) : x;
    struct tree_view v = {.parent = above};
    int node = f->root(m, t), child[2];
    *left = true;
    for (f->children(m, t, node, child); node != x; f->children(m, t, node, child)) {
        const int side = position > node;
        v.parent = edge_to(f, gait, m, t, child[side], node, v.parent);
        v.parent.peer = node;
        node = child[side];
        *left &= side == LEFT;
    }
    for (int side = LEFT; side <= RIGHT; side++)
        v.child[side] = edge_to(f, gait, m, t, child[side], x, v.parent);
    return v;
}

static struct tree_view view_of(const struct family *f, int trees, const struct shape *s, int root, int rank, int t)
{
    static const struct gait gait = {.down = {1, 2}};
    const int m = s->ranks - 1, x = rank_after(s, rank, -root - 1), top = f->root(m, t);
    const struct tree_edge first = {.peer = top, .down = f->hop(m, t, top, NOBODY) - 1, .up = NEVER};
    struct tree_view v = {.parent = no_edge, .child = {first, no_edge}};
    bool left;
    if (x < m) {
        v = find(f, &gait, m, t, x, (struct tree_edge){.peer = NOBODY, .down = first.down, .up = NEVER}, &left);
        v.parent.peer = rank_after(s, root, v.parent.peer + 1);
    }
    for (int side = LEFT; side <= RIGHT; side++)
        if (v.child[side].peer != NOBODY)
            v.child[side].peer = rank_after(s, root, v.child[side].peer + 1);
    tree_share_out(&v, tree_share(s, 2, trees, trees - 1 - t));
    return v;
}

struct tree_view tree_scan_view(const struct family *f, const struct gait *gait, int ranks, int t, int rank)
{
    bool left;
    const struct tree_edge above = {.peer = NOBODY, .down = gait->origin, .up = NEVER};
    struct tree_view v = find(f, gait, ranks, t, rank, above, &left);
    if (left)
        v.parent.down = v.child[LEFT].down = NEVER;
    return v;
}

/* ---- Lanes ----------------------------------------------------------------------------------------------------------- */

void tree_bcast(struct schedule *s, const struct tree_view *x, int64_t start)
{
    const struct tree_edge *const edges[] = {&x->parent, &x->child[LEFT], &x->child[RIGHT]};
    for (int i = 0; i < 3; i++)
        if (edges[i]->peer != NOBODY) {
            struct lane lane = edges[i]->share;
            lane.leg = i == 0 ? LEG_RECV : LEG_SEND;
            lane.peer = edges[i]->peer;
            lane.slot = SLOT_OUT;
            lane.when = start + edges[i]->down;
            schedule_lane(s, lane);
        }
}

struct lane trees_timed(struct lane lane, const struct clock *c, int64_t d)
{
    const int64_t run = lane.run.length > 1 ? lane.run.length : 1, last = lane.left - 1;
    assert(run == 1 || c->dilation == 1);
    lane.when = c->dilation * (c->end - 1 - d - last / run * lane.period - last % run);
    lane.period *= c->dilation;
    lane.run.turn = run - 1 - last % run;
    lane.run.reversed = true;
    return lane;
}

/* The first of two children: the only one; else the left one if the right one's blocks wait; else the earlier one. */
static int first_child(const struct tree_view *x, const struct lane from[2])
{
    if (from[LEFT].left == 0 || from[RIGHT].left == 0)
        return from[LEFT].left > 0 ? LEFT : RIGHT;
    return x->right_waits || from[LEFT].when < from[RIGHT].when ? LEFT : RIGHT;
}

static void add_second(struct schedule *s, const struct tree_view *x, struct lane second, const struct lane *first,
                       uint8_t sum)
{
    struct lane local = second;
    second.slot = SLOT_T2;
    second.after[0] = local.after[0] = (struct act){STEP_FOLD, SLOT_T2, sum};
    if (x->right_waits && second.left > 0) {
        const int64_t run = first->run.length, turn = first->run.turn + second.block - first->block;
        local.leg = LEG_LOCAL;
        local.peer = NOBODY;
        local.when = first->when - first->run.turn + turn / run * first->period + turn % run;
        schedule_lane(s, local);
        second.after[0].kind = 0;
    }
    schedule_lane(s, second);
}

/* A missing child has an empty lane. Slots: T0 .. T3, or with one child T(base) and T(base+1). */
static void combine(struct schedule *s, const struct tree_view *x, struct lane from[2], struct lane to, int base)
{
    const uint8_t t0 = (uint8_t)(SLOT_T0 + base), t1 = (uint8_t)(t0 + 1), alternate = t0 | SLOT_ALTERNATE;
    const bool left = from[LEFT].left > 0, right = from[RIGHT].left > 0, both = left && right;
    const int first = first_child(x, from);
    assert(!both || base == 0);
    to.slot = SLOT_IN;
    if (left && first == LEFT && s->shape.ordered) {
        uint8_t arrived = both ? SLOT_T2 : t0, sum = both ? SLOT_T3 : t1;
        from[LEFT].slot = arrived;
        from[LEFT].after[0] = (struct act){STEP_COPY, SLOT_IN, sum};
        from[LEFT].after[1] = (struct act){STEP_FOLD, arrived, sum};
        to.slot = sum;
        if (both) {
            from[RIGHT].slot = to.slot = SLOT_T0;
            from[RIGHT].after[0] = (struct act){STEP_FOLD, sum, SLOT_T0};
            schedule_lane(s, from[RIGHT]);
        }
    } else if (left || right) {
        from[first].slot = to.slot = alternate;
        from[first].after[0] = (struct act){STEP_FOLD, SLOT_IN, alternate};
        if (both)
            add_second(s, x, from[!first], &from[first], alternate);
    }
    schedule_lane(s, from[first]);
    schedule_lane(s, to);
}

static void finish(struct schedule *s, const struct tree_view *x, struct lane from[2])
{
    const int first = first_child(x, from);
    struct lane in = from[first], on = in;
    in.slot = SLOT_T0;
    on.leg = LEG_SEND;
    on.peer = s->shape.root;
    on.slot = SLOT_T0;
    on.when++;
    if (s->shape.ordered && s->rank == 0) { /* IN is lowest, and used up before OUT is written */
        in.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_T0};
        if (s->shape.root == s->rank)
            in.after[1] = (struct act){STEP_COPY, SLOT_T0, SLOT_OUT};
        else
            schedule_lane(s, on);
    } else {
        in.after[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};
        in.after[1] = (struct act){STEP_FOLD, SLOT_T0, SLOT_OUT};
        add_second(s, x, from[!first], &in, SLOT_OUT);
    }
    schedule_lane(s, in);
}

void tree_reduce(struct schedule *s, const struct tree_view *x, const struct clock *c, int base)
{
    struct lane from[2] = {{.left = 0}, {.left = 0}}, to = trees_timed(x->parent.share, c, x->parent.down);
    for (int i = LEFT; i <= RIGHT; i++)
        if (x->child[i].peer != NOBODY) {
            from[i] = trees_timed(x->child[i].share, c, x->child[i].down);
            from[i].leg = LEG_RECV;
            from[i].peer = x->child[i].peer;
        }
    to.leg = LEG_SEND;
    to.peer = x->parent.peer;
    if (to.peer != NOBODY)
        combine(s, x, from, to, base);
    else
        finish(s, x, from);
}

void tree_receive_result(struct schedule *s, struct lane share, const struct clock *c, int64_t d, int source)
{
    struct lane in = trees_timed(share, c, d);
    in.leg = LEG_RECV;
    in.peer = source;
    in.slot = SLOT_OUT;
    in.when++;
    schedule_lane(s, in);
}

/* ---- Services -------------------------------------------------------------------------------------------------------- */

static int64_t reduce(const struct family *f, int trees, struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const bool interior = shape_interior(shape);
    const int m = shape->ranks - 1, root = interior ? 0 : shape->root;
    const int64_t longest = tree_share(shape, 2, trees, 0).left;
    const struct clock c = {.end = 2 * (longest + ceil_log2(shape->ranks) + 2), .dilation = interior ? 2 : 1};

    for (int t = 0; t < trees; t++) {
        const struct tree_view x = view_of(f, trees, shape, root, s->rank, t);
        tree_reduce(s, &x, &c, 0);
        if (interior && s->rank == shape->root)
            tree_receive_result(s, x.parent.share, &c, f->hop(m, t, f->root(m, t), NOBODY) - 1, 0);
    }
    return c.dilation * c.end;
}

void trees_generate(struct schedule *s)
{
    const struct family *f = s->trees->family;
    const int trees = s->trees->count;
    int64_t start = 0;
    if (s->shape.collective != COLL_BCAST)
        start = reduce(f, trees, s);
    for (int t = 0; t < trees && s->shape.collective != COLL_REDUCE; t++) {
        const struct tree_view x = view_of(f, trees, &s->shape, s->shape.root, s->rank, t);
        tree_bcast(s, &x, start);
    }
}

struct round_bound trees_round_bound(const struct trees *x, const struct shape *shape)
{
    int times = shape_interior(shape) || shape->collective == COLL_ALLREDUCE ? 2 : 1, slope = 2 / x->count;
    int latency = shape->ranks > 1 ? 2 * ceil_log2(shape->ranks) + 1 - 2 * slope : 0;
    return (struct round_bound){.slope = times * slope, .latency = times * latency};
}
