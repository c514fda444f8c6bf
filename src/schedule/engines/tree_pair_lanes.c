/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast and reduction over a tree pair with a source; see tree_pair.h.
 *
 * Broadcast: the j-th block of a tree enters a rank in step down + 2j. The edges by which a rank receives differ in colour,
 * and so do the edges by which it sends. So it has at most one send and one receive in a step. The tree that the source
 * feeds in step 0 carries the first half of the blocks.
 *
 * Reduction: the same with time reversed, in the slots of trees.c. Unlike there, a rank may have one child in each tree. It
 * needs two slots for each tree: T0 and T1 for U, T2 and T3 for V. Rank 0 computes an ordered result of an interior root,
 * and sends each block on. Then every step counts twice.
 */
#include "tree_pair.h"

/* A rank in tree t, with the share of that tree. */
static struct tree_view view_in(const struct tree_pair_view *x, const struct shape *shape, int t)
{
    struct tree_view v = x->tree[t];
    v.share = tree_share(shape, 2, 2, t != x->front);
    return v;
}

void tree_pair_reduce(const struct tree_pair_view *x, struct schedule *s, const struct clock *c, int t)
{
    const struct tree_view v = view_in(x, &s->shape, t);
    tree_reduce(s, &v, c, x->split ? 2 * t : 0);
}

static void reduce(const struct tree_pair_view *x, struct schedule *s, int source)
{
    const struct shape *shape = &s->shape;
    const bool sent_on = source != shape->root;
    const struct clock c = {.end = x->span + shape->blocks, .dilation = sent_on ? 2 : 1};
    for (int t = TREE_U; t <= TREE_V; t++) {
        tree_pair_reduce(x, s, &c, t);
        if (sent_on && s->rank == shape->root)
            tree_take_result(s, tree_share(shape, 2, 2, t != x->front), &c, t != x->front, source);
    }
}

void tree_pair_generate(struct schedule *s, tree_pair_maker *maker, int source)
{
    const struct tree_pair_view x = tree_pair_view(s->shape.places, maker, source, s->rank);
    if (s->shape.collective == COLL_REDUCE)
        reduce(&x, s, source);
    for (int t = TREE_U; t <= TREE_V && s->shape.collective == COLL_BCAST; t++) {
        const struct tree_view v = view_in(&x, &s->shape, t);
        tree_bcast(s, &v, 0);
    }
}

struct round_bound tree_pair_round_bound(const struct shape *shape, tree_pair_maker *maker, int source)
{
    int dilation = source != shape->root ? 2 : 1;
    return (struct round_bound){.slope = dilation, .latency = dilation * tree_pair_span(shape->places, maker, source)};
}
