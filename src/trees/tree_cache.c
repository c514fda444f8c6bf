/* SPDX-License-Identifier: BSD-2-Clause */
/* See tree_cache.h. */
#include "tree_cache.h"

#include "arithmetic.h"

#include <assert.h>

/* ---- Heaps ----------------------------------------------------------------------------------------------------------- */

static bool before(const struct heap *h, int a, int b)
{
    double x = h->key[h->rank[a]], y = h->key[h->rank[b]];
    return x < y || (x == y && h->rank[a] < h->rank[b]);
}

static void swap(struct heap *h, int a, int b)
{
    int rank = h->rank[a];
    h->rank[a] = h->rank[b];
    h->rank[b] = rank;
}

void heap_add(struct heap *h, int rank)
{
    int i = h->count++;
    h->rank[i] = rank;
    for (; i > 0 && before(h, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(h, i, (i - 1) / 2);
}

void heap_settle(struct heap *h)
{
    for (int i = 0, least; 2 * i + 1 < h->count; i = least) {
        least = 2 * i + 1;
        if (least + 1 < h->count && before(h, least + 1, least))
            least++;
        if (!before(h, least, i))
            return;
        swap(h, i, least);
    }
}

int heap_pop(struct heap *h)
{
    int rank = h->rank[0];
    h->rank[0] = h->rank[--h->count];
    heap_settle(h);
    return rank;
}

/* ---- Trees ----------------------------------------------------------------------------------------------------------- */

static void put_in_order(struct tree *t)
{
    int last = 0;
    t->order[last++] = t->root;
    for (int i = 0; i < last; i++) {
        int v = t->order[i];
        t->served[v] = last;
        for (int c = t->child[v]; c != NOBODY; c = t->next[c])
            t->order[last++] = c;
    }
    assert(last == t->ranks);
}

void tree_list(struct tree *t)
{
    for (int v = 0; v < t->ranks; v++)
        t->child[v] = t->next[v] = NOBODY;
    for (int v = 0; v < t->ranks; v++)
        if (v != t->root) {
            t->next[v] = t->child[t->parent[v]];
            t->child[t->parent[v]] = v;
        }
    put_in_order(t);
}

void tree_by_height(struct tree *t)
{
    double *height = t->value[0], *key = t->value[1];
    struct heap heap = {.rank = t->spare[0], .key = key};
    tree_list(t);
    for (int i = t->ranks - 1; i >= 0; i--) {
        int v = t->order[i], *link = &t->child[v];
        for (int c = *link; c != NOBODY; c = t->next[c]) {
            key[c] = -height[c];
            heap_add(&heap, c);
        }
        height[v] = 0;
        for (int k = 1; heap.count > 0; k++, link = &t->next[*link]) {
            *link = heap_pop(&heap);
            if (height[v] < k + height[*link])
                height[v] = k + height[*link];
        }
        *link = NOBODY;
    }
}

static void set_times(struct tree *t)
{
    put_in_order(t);
    t->when[t->root] = -1;
    t->period = 1;
    t->rounds = 0;
    for (int i = 0; i < t->ranks; i++) {
        int v = t->order[i], end = i + 1 < t->ranks ? t->served[t->order[i + 1]] : t->ranks;
        for (int k = 1; k <= end - t->served[v]; k++)
            t->when[t->order[t->served[v] + k - 1]] = t->when[v] + k;
        if (t->period < end - t->served[v])
            t->period = end - t->served[v];
        if (t->rounds <= t->when[v])
            t->rounds = t->when[v] + 1;
    }
}

/* ---- The tree cache -------------------------------------------------------------------------------------------------- */

struct tree *tree_cache_borrow(struct tree_cache *g)
{
    g->places = NULL;
    return &g->tree;
}

const struct tree *tree_cache_make(struct tree_cache *g, const struct shape *shape, tree_maker *make)
{
    struct tree *t = &g->tree;
    if (g->places != shape->places || g->maker != make || t->root != shape->root) {
        g->places = shape->places;
        g->maker = make;
        t->ranks = shape->ranks;
        t->root = shape->root;
        t->seconds = 0;
        struct program_state program;
        arithmetic_begin(&program);
        make(t, shape->places);
        arithmetic_end(&program);
        set_times(t);
    }
    return t;
}
