/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two trees as arrays, their colours and steps; see braid.h and doc/places.
 *
 * A rank has at most two children in both trees together, and at most two parents. So the edges form paths and even cycles,
 * if one walks from an edge to the other one by which its lower end receives, and to the other one by which its upper end
 * sends. Their colours alternate along these (D. Koenig, 1916). An edge of colour c is used in steps of parity c: a rank has
 * at most one send and one receive in a step. A fork of trees.c needs no child in the other tree; a braid allows one in
 * each.
 */
#include "braid.h"

#include <assert.h>
#include <stdlib.h>

/* Results for a few roots and engines, so that a program which takes them in turn does not make arrays in each call. */
enum { STRANDS = 16, SPANS = 32 };

struct memo {
    struct {
        braid_maker *maker;
        int root, rank;
        struct strand strand;
    } strand[STRANDS];
    struct {
        braid_maker *maker;
        int root, span;
    } span[SPANS];
    int next_strand, next_span; /* the rows to be written over next */
};

struct braid *braid_new(int p)
{
    size_t n = (size_t)p;
    struct braid *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->ranks = p;
    b->knot = malloc(n * sizeof *b->knot);
    b->order = malloc(n * sizeof *b->order);
    b->entry = malloc((2 * n + BRAID_DEPTH) * sizeof *b->entry);
    b->part = malloc((n + BRAID_DEPTH) * sizeof *b->part);
    b->memo = calloc(1, sizeof *b->memo);
    if (b->knot && b->order && b->entry && b->part && b->memo)
        return b;
    braid_free(b);
    return NULL;
}

void braid_free(struct braid *b)
{
    if (!b)
        return;
    free(b->knot);
    free(b->order);
    free(b->entry);
    free(b->part);
    free(b->memo);
    free(b);
}

const struct braid *braid_made(const struct places *t, braid_maker *maker, int root)
{
    struct braid *b = t->braid;
    if (b->maker != maker || b->root != root) {
        maker(b, t, root);
        b->maker = maker;
        b->root = root;
    }
    return b;
}

int braid_span(const struct places *t, braid_maker *maker, int root)
{
    struct memo *m = t->braid->memo;
    for (int i = 0; i < SPANS; i++)
        if (m->span[i].maker == maker && m->span[i].root == root)
            return m->span[i].span;
    int row = m->next_span++ % SPANS, span = braid_made(t, maker, root)->span;
    m->next_span %= SPANS;
    m->span[row].maker = maker;
    m->span[row].root = root;
    return m->span[row].span = span;
}

/* The tree that the source above a rank feeds first. */
static int front_of(const struct braid *b, int rank)
{
    const struct knot *k = &b->knot[rank];
    while (k->parent[TREE_U] != NOBODY)
        k = &b->knot[k->parent[TREE_U]];
    for (int side = LEFT; side <= RIGHT; side++)
        if (k->child[TREE_U][side] != NOBODY && b->knot[k->child[TREE_U][side]].colour[TREE_U] == 0)
            return TREE_U;
    return TREE_V;
}

static struct strand strand_of(const struct braid *b, int rank)
{
    struct strand s = {.own = b->knot[rank], .front = front_of(b, rank), .span = b->span};
    for (int t = TREE_U; t <= TREE_V; t++)
        for (int side = LEFT; side <= RIGHT; side++)
            if (s.own.child[t][side] != NOBODY)
                s.child[t][side] = b->knot[s.own.child[t][side]];
    return s;
}

struct strand braid_strand(const struct places *t, braid_maker *maker, int root, int rank)
{
    struct memo *m = t->braid->memo;
    for (int i = 0; i < STRANDS; i++)
        if (m->strand[i].maker == maker && m->strand[i].root == root && m->strand[i].rank == rank)
            return m->strand[i].strand;
    int row = m->next_strand++;
    m->next_strand %= STRANDS;
    m->strand[row].strand = strand_of(braid_made(t, maker, root), rank);
    m->strand[row].maker = maker;
    m->strand[row].root = root;
    m->strand[row].rank = rank;
    return m->strand[row].strand;
}

/* ---- For makers ------------------------------------------------------------------------------------------------------ */

void braid_clear(struct braid *b)
{
    const struct knot none = {
        .parent = {NOBODY, NOBODY}, .child = {{NOBODY, NOBODY}, {NOBODY, NOBODY}}, .colour = {-1, -1}, .down = {-1, -1}};
    for (int i = 0; i < b->ranks; i++) {
        b->knot[i] = none;
        b->order[i] = i;
    }
    b->span = 0;
}

void braid_join(struct braid *b)
{
    for (int i = 0; i < b->ranks; i++)
        for (int t = TREE_U; t <= TREE_V; t++)
            for (int side = LEFT; side <= RIGHT; side++) {
                int child = b->knot[i].child[t][side];
                assert(child == NOBODY || b->knot[child].parent[t] == NOBODY);
                if (child != NOBODY)
                    b->knot[child].parent[t] = i;
            }
}

/* The other edge by which the upper end of the edge into rank *v in tree *t sends; false if there is none. */
static bool other_sent(const struct braid *b, int *t, int *v)
{
    const struct knot *sender = &b->knot[b->knot[*v].parent[*t]];
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

/* Colours what follows the edge into rank v in tree t, beyond its lower or its upper end. */
static void colour_on(struct braid *b, int t, int v, bool below)
{
    for (int colour = 1 - b->knot[v].colour[t];; colour = 1 - colour, below = !below) {
        if (below)
            t = 1 - t;
        else if (!other_sent(b, &t, &v))
            return;
        if (b->knot[v].parent[t] == NOBODY || b->knot[v].colour[t] >= 0)
            return;
        b->knot[v].colour[t] = colour;
    }
}

void braid_colour(struct braid *b)
{
    for (int i = 0; i < b->ranks; i++)
        for (int t = TREE_U; t <= TREE_V; t++) {
            int v = b->order[i];
            if (b->knot[v].parent[t] == NOBODY || b->knot[v].colour[t] >= 0)
                continue;
            b->knot[v].colour[t] = t;
            colour_on(b, t, v, true);
            colour_on(b, t, v, false);
        }
}

/* The least step after `step` that has the parity of the colour. */
static int step_after(int step, int colour)
{
    return step + 1 + ((step + 1 + colour) & 1);
}

/* Sets `down` below a root. The order, which is not needed any more, becomes the stack of ranks whose children wait. */
static void down_from(struct braid *b, int t, int root)
{
    int waiting = 0;
    b->knot[root].down[t] = -1;
    b->order[waiting++] = root;
    while (waiting > 0) {
        const struct knot *k = &b->knot[b->order[--waiting]];
        for (int side = LEFT; side <= RIGHT; side++) {
            int child = k->child[t][side];
            if (child == NOBODY)
                continue;
            int step = step_after(k->down[t], b->knot[child].colour[t]);
            b->knot[child].down[t] = step;
            b->span = step > b->span ? step : b->span;
            b->order[waiting++] = child;
        }
    }
}

void braid_down(struct braid *b)
{
    for (int t = TREE_U; t <= TREE_V; t++)
        for (int i = 0; i < b->ranks; i++)
            if (b->knot[i].parent[t] == NOBODY)
                down_from(b, t, i);
}
