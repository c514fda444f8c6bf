/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast and reduction over a tree pair whose source is the root; see tree_pair.h.
 *
 * Broadcast: the j-th block of a tree enters a rank in step down + 2j. The edges by which a rank receives differ in colour,
 * and so do those by which it sends: so it has one send and one receive in a step at most. The tree that the source feeds in
 * step 0 carries the first half of the blocks.
 *
 * Reduction: the same with time reversed, in the slots of trees.c. New is a rank with one child in each tree. It needs two
 * slots for either: T0 and T1 for U, T2 and T3 for V. An ordered result of an interior root is computed by rank 0, which
 * sends each block on; then every step takes two.
 */
#include "tree_pair.h"

struct lane tree_pair_half(const struct shape *shape, int half)
{
    int64_t first = shape->blocks - shape->blocks / 2;
    if (half == 0)
        return (struct lane){.period = 2, .block = 0, .left = first};
    return (struct lane){.period = 2, .block = first, .left = shape->blocks - first};
}

/* The blocks that a tree carries. */
static struct lane share(const struct tree_pair_view *x, const struct shape *shape, int t)
{
    return tree_pair_half(shape, t != x->front);
}

static void bcast(const struct tree_pair_view *x, struct schedule *s)
{
    for (int t = TREE_U; t <= TREE_V; t++) {
        struct lane lane = share(x, &s->shape, t);
        lane.slot = SLOT_OUT;
        lane.leg = LEG_RECV;
        lane.peer = x->own.parent[t];
        lane.when = x->own.down[t];
        if (lane.peer != NOBODY)
            schedule_lane(s, lane);
        lane.leg = LEG_SEND;
        for (int side = LEFT; side <= RIGHT; side++) {
            lane.peer = x->own.child[t][side];
            lane.when = x->child[t][side].down[t];
            if (lane.peer != NOBODY)
                schedule_lane(s, lane);
        }
    }
}

/* Has the rank one child in each tree? */
static bool split(const struct tree_node *k)
{
    int children[2] = {0, 0};
    for (int t = TREE_U; t <= TREE_V; t++)
        for (int side = LEFT; side <= RIGHT; side++)
            children[t] += k->child[t][side] != NOBODY;
    return children[TREE_U] > 0 && children[TREE_V] > 0;
}

void tree_pair_combine(const struct tree_pair_view *x, struct schedule *s, const struct clock *c, int t)
{
    struct lane from[2] = {0}, to = trees_timed(share(x, &s->shape, t), c, x->own.down[t]);
    for (int side = LEFT; side <= RIGHT; side++)
        if (x->own.child[t][side] != NOBODY) {
            from[side] = trees_timed(share(x, &s->shape, t), c, x->child[t][side].down[t]);
            from[side].leg = LEG_RECV;
            from[side].peer = x->own.child[t][side];
        }
    to.leg = LEG_SEND;
    to.peer = x->own.parent[t];
    if (to.peer != NOBODY)
        trees_combine(s, from, to, split(&x->own) ? 2 * t : 0);
    else
        trees_finish(s, from[LEFT].left > 0 ? from[LEFT] : from[RIGHT]);
}

static void reduce(const struct tree_pair_view *x, struct schedule *s, int source)
{
    const struct shape *shape = &s->shape;
    bool sent_on = source != shape->root;
    const struct clock c = {.end = x->span + shape->blocks, .dilation = sent_on ? 2 : 1};
    for (int t = TREE_U; t <= TREE_V; t++) {
        tree_pair_combine(x, s, &c, t);
        if (sent_on && s->rank == shape->root) {
            struct lane in = trees_timed(share(x, shape, t), &c, t != x->front);
            in.leg = LEG_RECV;
            in.peer = source;
            in.slot = SLOT_OUT;
            in.when++;
            schedule_lane(s, in);
        }
    }
}

void tree_pair_generate(struct schedule *s, tree_pair_maker *maker, int source)
{
    const struct tree_pair_view x = tree_pair_view(s->shape.places, maker, source, s->rank);
    if (s->shape.collective == COLL_BCAST)
        bcast(&x, s);
    else
        reduce(&x, s, source);
}

struct round_bound tree_pair_round_bound(const struct shape *shape, tree_pair_maker *maker, int source)
{
    int dilation = source != shape->root ? 2 : 1;
    return (struct round_bound){.slope = dilation, .latency = dilation * tree_pair_span(shape->places, maker, source)};
}
