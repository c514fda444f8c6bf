/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast and reduction over one tree of any degree; doc/trees has the proofs.
 *
 * Rank v gets block 0 in step d(v), its k-th child in step d(v) + k; the period c is the most children. t + c(n-1) rounds, t
 * = max d + 1.
 *
 * A reduction reverses time, for commutative operations, with partial results in T0 and T1 by turns.
 *
 * For trees.h, the last child is the right one; the edge to the left child stands for all others, its messages form runs.
 */
#include "any_tree.h"

#include "workshop.h"

#include <string.h>

/* A schedule leaves the list of children in the workshop; a copy of a schedule has it. */
static void children_of(const struct schedule *s, int first, int count, int *child)
{
    if (s->child) {
        memcpy(child, s->child + first, (size_t)count * sizeof *child);
    } else if (count > 0) {
        const struct tree *t = tree_cache_make(&workshop_enter()->cache, &s->shape, s->trees->maker);
        memcpy(child, t->order + t->served[s->rank] + first, (size_t)count * sizeof *child);
        workshop_leave();
    }
}

void any_tree_generate(struct schedule *s)
{
    const struct tree *t = tree_cache_make(&workshop_enter()->cache, &s->shape, s->trees->maker);
    const int *child = t->order + t->served[s->rank];
    int children = 0;
    for (int x = t->child[s->rank]; x != NOBODY; x = t->next[x])
        children++;
    const int64_t when = t->when[s->rank];
    const struct clock c = {.end = t->rounds + t->period * (s->shape.blocks - 1), .dilation = 1};
    struct tree_view v = {.parent = no_edge, .child = {no_edge, no_edge}};
    tree_share_out(&v, tree_share(&s->shape, t->period, 1, 0));
    v.parent.down = when;
    if (s->rank != t->root)
        v.parent.peer = t->parent[s->rank];
    if (children > 0) {
        v.child[RIGHT].peer = child[children - 1];
        v.child[RIGHT].down = when + children;
    }
    if (children > 1) {
        v.child[LEFT].peer = child[0];
        v.child[LEFT].down = when + 1;
        v.child[LEFT].share.left *= children - 1;
        v.child[LEFT].share.run = (struct lane_run){.length = children - 1, .next = 1, .peers = RUN_CHILDREN};
        s->children = children - 1;
        s->children_of = children_of;
    }
    workshop_leave();
    if (s->shape.collective == COLL_BCAST)
        tree_bcast(s, &v, 0);
    else
        tree_reduce(s, &v, &c, 0);
}

struct round_bound any_tree_round_bound(const struct trees *x, const struct shape *shape)
{
    if (shape->ranks == 1)
        return (struct round_bound){.slope = 0};
    const struct tree *t = tree_cache_make(&workshop_enter()->cache, shape, x->maker);
    const struct round_bound bound = {.slope = t->period, .latency = t->rounds - t->period};
    workshop_leave();
    return bound;
}

double any_tree_first(const struct shape *shape, tree_maker *make)
{
    const double seconds = tree_cache_make(&workshop_enter()->cache, shape, make)->seconds;
    workshop_leave();
    return seconds;
}
