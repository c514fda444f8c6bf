/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans over a tree pair, or over U alone; see doc/places-scans.
 *
 * The messages and the steps D(v) and U(v) are those of scan_trees.c. An edge of colour c is used upwards in steps c modulo
 * the period, and downwards in steps c + lag. At the root D = -1. For the children l and r of v, "step" is one of the
 * edge's:
 *
 *     D(l), D(r)    the least step > D(v)
 *     U(l), U(r)    the greatest step < U(v)
 *     U(l)          the greatest step <= D(l) and < D(r), if v is on the right spine and has no U
 */
#include "tree_pair.h"

#include <limits.h>

enum { ABSENT = INT_MIN };

static int step_in(int step, int period)
{
    int rest = step % period;
    return rest < 0 ? rest + period : rest;
}

/* The least that is `colour` modulo the period. */
static int after(int step, int colour, int period)
{
    return step + 1 + step_in(colour - (step + 1), period);
}

static int before(int step, int colour, int period)
{
    return step - 1 - step_in(step - 1 - colour, period);
}

static void time_children(struct tree_pair *b, const struct tree_pair_beat *beat, int t, const struct tree_node *v)
{
    const int period = beat->period;
    struct tree_node *child[2];
    for (int side = LEFT; side <= RIGHT; side++) {
        int rank = v->child[t][side];
        struct tree_node *x = child[side] = rank == NOBODY ? NULL : &b->node[rank];
        if (!x)
            continue;
        x->down[t] = after(v->down[t], x->colour[t] + beat->lag, period);
        x->up[t] = v->up[t] == ABSENT ? ABSENT : before(v->up[t], x->colour[t], period);
    }
    if (v->up[t] == ABSENT && child[LEFT]) {
        struct tree_node *l = child[LEFT];
        l->up[t] = before(l->down[t] + 1, l->colour[t], period);
        if (child[RIGHT] && l->up[t] >= child[RIGHT]->down[t])
            l->up[t] -= period;
    }
}

static int least(int x, int y)
{
    return x < y ? x : y;
}

static int most(int x, int y)
{
    return x > y ? x : y;
}

/* So that the first step is less than the period. ABSENT becomes -1. */
static void shift(struct tree_pair *b, int period, int t)
{
    int first = INT_MAX;
    for (int x = 0; x < b->ranks; x++) {
        const struct tree_node *v = &b->node[x];
        first = least(first, v->up[t] != ABSENT ? v->up[t] : first);
        first = least(first, v->down[t] != ABSENT ? v->down[t] : first);
    }
    int by = step_in(first, period) - first;
    for (int x = 0; x < b->ranks; x++) {
        struct tree_node *v = &b->node[x];
        v->up[t] = v->up[t] == ABSENT ? -1 : v->up[t] + by;
        v->down[t] = v->down[t] == ABSENT ? -1 : v->down[t] + by;
    }
}

/*
 * Rounds beyond slope * blocks: steps before the first block down and behind the last one up (on the right spine, down)
 * count half, as half of them are empty, or in full if the lag is 0.
 */
static int excess(const struct tree_pair *b, const struct tree_pair_beat *beat)
{
    int begin = INT_MAX, first = INT_MAX, last = 0, end = 0;
    for (int x = 0; x < b->ranks; x++)
        for (int t = TREE_U; t < beat->trees; t++) {
            int up = b->node[x].up[t], down = b->node[x].down[t];
            begin = least(begin, up >= 0 ? up : begin);
            first = least(first, down >= 0 ? down : first);
            last = most(last, up >= 0 ? up : down);
            end = most(end, most(up, down));
        }
    begin = least(begin, first);
    if (beat->lag == 0) {
        first = begin;
        last = end;
    }
    return (first - begin + 1) / 2 + last - first + 1 + (end - last + 1) / 2 - beat->period / beat->trees;
}

void tree_pair_time_scan(struct tree_pair *b, const struct tree_pair_beat *beat)
{
    for (int t = TREE_U; t < beat->trees; t++) {
        int root = 0;
        while (b->node[root].parent[t] != NOBODY)
            root = b->node[root].parent[t];
        b->node[root].up[t] = ABSENT;
        tree_pair_visit(b, beat, t, root, time_children);
        for (int x = root; x != NOBODY; x = b->node[x].child[t][LEFT])
            b->node[x].down[t] = ABSENT;
        shift(b, beat->period, t);
    }
    b->span = b->ranks > 1 ? excess(b, beat) : 0;
}

void tree_pair_scan(struct schedule *s)
{
    const struct tree_pair_beat *beat = s->trees->beat;
    struct tree_pair_view x = tree_pair_view(s->shape.places, s->trees->pair, 0, s->rank);
    for (int t = TREE_U; t < beat->trees; t++) {
        struct scan_slots slots = {.right = SLOT_T0, .prefix = SLOT_T2, .spare = beat->spare};
        if (x.split)
            slots.right = slots.prefix = t == TREE_U ? SLOT_T0 : SLOT_T2;
        tree_share_out(&x.tree[t], tree_share(&s->shape, beat->period, beat->trees, beat->trees - 1 - t));
        tree_scan(s, &x.tree[t], slots);
    }
}

struct round_bound tree_pair_scan_round_bound(const struct trees *x, const struct shape *shape)
{
    int slope = x->beat->period / x->beat->trees;
    return (struct round_bound){.slope = slope, .latency = tree_pair_span(shape->places, x->pair, 0)};
}
