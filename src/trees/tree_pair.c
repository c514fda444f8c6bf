/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two trees as arrays, their colours and steps; doc/places has the proofs.
 *
 * An edge's neighbours are the other edge by which its lower end receives, and that by which its upper end sends. Along
 * paths and circles of neighbours, colours alternate. An edge of colour c is used in steps of parity c.
 *
 * Broadcast: block j of a tree enters a rank in step down + 2j. Reduction: time reversed, in the slots of trees.c; a rank
 * with a child in each tree takes T0, T1 for U and T2, T3 for V. To an interior root, by way of rank 0, every step counts
 * twice.
 */
#include "workshop.h"

#include <assert.h>

static void clear(struct tree_pair *b)
{
    const struct tree_node none = {.parent = {NOBODY, NOBODY},
                                   .child = {{NOBODY, NOBODY}, {NOBODY, NOBODY}},
                                   .colour = {-1, -1},
                                   .down = {-1, -1},
                                   .up = {-1, -1}};
    for (int i = 0; i < b->ranks; i++) {
        b->node[i] = none;
        b->order[i] = i;
    }
    b->span = 0;
}

void tree_pair_make(struct tree_pair *b, const struct places *t, tree_pair_maker *maker, int root)
{
    if (b->places == t && b->maker == maker && b->root == root)
        return;
    b->ranks = places_ranks(t);
    clear(b);
    maker(b, t, root);
    b->places = t;
    b->maker = maker;
    b->root = root;
}

int tree_pair_span(const struct places *t, tree_pair_maker *maker, int root)
{
    struct tree_pair *b = &workshop_enter()->pair;
    int i = 0;
    while (i < TREE_PAIR_MAKERS && b->latest[i].maker && b->latest[i].maker != maker)
        i++;
    assert(i < TREE_PAIR_MAKERS);
    struct tree_pair_latest *x = &b->latest[i];
    if (x->places != t || x->maker != maker || x->root != root) {
        tree_pair_make(b, t, maker, root);
        *x = (struct tree_pair_latest){t, maker, root, b->span};
    }
    const int span = x->span;
    workshop_leave();
    return span;
}

static int front_of(const struct tree_pair *b, int rank)
{
    const struct tree_node *k = &b->node[rank];
    while (k->parent[TREE_U] != NOBODY)
        k = &b->node[k->parent[TREE_U]];
    for (int side = LEFT; side <= RIGHT; side++)
        if (k->child[TREE_U][side] != NOBODY && b->node[k->child[TREE_U][side]].colour[TREE_U] == 0)
            return TREE_U;
    return TREE_V;
}

static struct tree_edge edge_to(const struct tree_pair *b, int t, int peer, int lower)
{
    if (peer == NOBODY)
        return no_edge;
    return (struct tree_edge){.peer = peer, .down = b->node[lower].down[t], .up = b->node[lower].up[t]};
}

struct tree_pair_view tree_pair_view(const struct places *t, tree_pair_maker *maker, int root, int rank)
{
    struct tree_pair *b = &workshop_enter()->pair;
    tree_pair_make(b, t, maker, root);
    const struct tree_node *own = &b->node[rank];
    struct tree_pair_view s = {.front = front_of(b, rank), .span = b->span};
    bool parent[2] = {false, false};
    for (int tree = TREE_U; tree <= TREE_V; tree++) {
        s.tree[tree].parent = edge_to(b, tree, own->parent[tree], rank);
        for (int side = LEFT; side <= RIGHT; side++) {
            const int child = own->child[tree][side];
            s.tree[tree].child[side] = edge_to(b, tree, child, child);
            parent[tree] |= child != NOBODY;
        }
    }
    s.split = parent[TREE_U] && parent[TREE_V];
    workshop_leave();
    return s;
}

/* ---- For makers ------------------------------------------------------------------------------------------------------ */

void tree_pair_join(struct tree_pair *b)
{
    for (int i = 0; i < b->ranks; i++)
        for (int t = TREE_U; t <= TREE_V; t++)
            for (int side = LEFT; side <= RIGHT; side++) {
                int child = b->node[i].child[t][side];
                assert(child == NOBODY || b->node[child].parent[t] == NOBODY);
                if (child != NOBODY)
                    b->node[child].parent[t] = i;
            }
}

/* (*t, *v) is the edge into *v in *t. Goes on to the other edge by which its upper end sends, or returns false. */
static bool other_sent(const struct tree_pair *b, int *t, int *v)
{
    const struct tree_node *sender = &b->node[b->node[*v].parent[*t]];
    for (int tree = TREE_U; tree <= TREE_V; tree++)
        for (int side = LEFT; side <= RIGHT; side++) {
            int child = sender->child[tree][side];
            if (child != NOBODY && (tree != *t || child != *v)) {
                *t = tree;
                *v = child;
                return true;
            }
        }
    return false;
}

/* Colours the path from an edge: at its lower end if `below`, else at its upper end. */
static void colour_on(struct tree_pair *b, int t, int v, bool below)
{
    for (int colour = 1 - b->node[v].colour[t];; colour = 1 - colour, below = !below) {
        if (below)
            t = 1 - t;
        else if (!other_sent(b, &t, &v))
            return;
        if (b->node[v].parent[t] == NOBODY || b->node[v].colour[t] >= 0)
            return;
        b->node[v].colour[t] = colour;
    }
}

void tree_pair_colour(struct tree_pair *b)
{
    tree_pair_join(b);
    for (int i = 0; i < b->ranks; i++)
        for (int t = TREE_U; t <= TREE_V; t++) {
            int v = b->order[i];
            if (b->node[v].parent[t] == NOBODY || b->node[v].colour[t] >= 0)
                continue;
            b->node[v].colour[t] = t;
            colour_on(b, t, v, true);
            colour_on(b, t, v, false);
        }
}

static int step_after(int step, int colour)
{
    return step + 1 + ((step + 1 + colour) & 1);
}

void tree_pair_visit(struct tree_pair *b, const struct tree_pair_beat *beat, int t, int root, tree_pair_visitor *visit)
{
    int waiting = 0;
    b->order[waiting++] = root;
    while (waiting > 0) {
        const struct tree_node *v = &b->node[b->order[--waiting]];
        visit(b, beat, t, v);
        for (int side = LEFT; side <= RIGHT; side++)
            if (v->child[t][side] != NOBODY)
                b->order[waiting++] = v->child[t][side];
    }
}

static void set_down(struct tree_pair *b, const struct tree_pair_beat *beat, int t, const struct tree_node *v)
{
    (void)beat;
    for (int side = LEFT; side <= RIGHT; side++)
        if (v->child[t][side] != NOBODY) {
            struct tree_node *child = &b->node[v->child[t][side]];
            child->down[t] = step_after(v->down[t], child->colour[t]);
            b->span = child->down[t] > b->span ? child->down[t] : b->span;
        }
}

void tree_pair_down(struct tree_pair *b)
{
    tree_pair_colour(b);
    for (int t = TREE_U; t <= TREE_V; t++)
        for (int i = 0; i < b->ranks; i++)
            if (b->node[i].parent[t] == NOBODY)
                tree_pair_visit(b, NULL, t, i, set_down);
}

/* ---- Broadcast and reduction ----------------------------------------------------------------------------------------- */

static struct tree_view view_in(const struct tree_pair_view *x, const struct shape *shape, int t)
{
    struct tree_view v = x->tree[t];
    tree_share_out(&v, tree_share(shape, 2, 2, t != x->front));
    return v;
}

void tree_pair_reduce(const struct tree_pair_view *x, struct schedule *s, const struct clock *c, int t)
{
    const struct tree_view v = view_in(x, &s->shape, t);
    tree_reduce(s, &v, c, x->split ? 2 * t : 0);
}

static int source_of(const struct shape *s)
{
    return shape_interior(s) ? 0 : s->root;
}

void tree_pair_generate(struct schedule *s, tree_pair_maker *maker)
{
    const struct shape *shape = &s->shape;
    const bool interior = shape_interior(shape);
    const struct tree_pair_view x = tree_pair_view(shape->places, maker, source_of(shape), s->rank);
    const struct clock c = {.end = x.span + shape->blocks, .dilation = 1 + interior};
    for (int t = TREE_U; t <= TREE_V; t++) {
        const struct tree_view v = view_in(&x, shape, t);
        if (shape->collective == COLL_BCAST)
            tree_bcast(s, &v, 0);
        else
            tree_pair_reduce(&x, s, &c, t);
        if (interior && s->rank == shape->root)
            tree_receive_result(s, v.parent.share, &c, t != x.front, 0);
    }
}

struct round_bound tree_pair_round_bound(const struct shape *shape, tree_pair_maker *maker)
{
    const int dilation = 1 + shape_interior(shape);
    return (struct round_bound){.slope = dilation,
                                .latency = dilation * tree_pair_span(shape->places, maker, source_of(shape))};
}
