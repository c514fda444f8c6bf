/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree cache keeps the tree of any degree that an engine made last. */
#pragma once

#include "place_tree.h"
#include "schedule.h"

/* A tree over p ranks. */
struct tree {
    int ranks, root;
    /* A maker fills these in, p of each. */
    int *parent; /* NOBODY at the root */
    int *child;  /* the first child, or NOBODY; see tree_by_height() */
    int *next;   /* the child that the parent serves next, or NOBODY */
    /* These follow from what the maker filled in: p numbers each, but the last two are single numbers. */
    int *order;  /* the ranks by their distance from the root; each rank's children together, in the order of service */
    int *served; /* where in `order` a rank's children begin */
    int *when;   /* the step in which a rank gets the first block; -1: the root */
    int period;  /* steps between two blocks: the largest number of children, but at least 1 */
    int rounds;  /* for one block */
    /* Seconds for one block, by the reach of the places; 0 unless the maker sets them. */
    double seconds;
    /* Memory for makers: p numbers each, without meaning before and after the maker runs. */
    int *spare[3];
    double *value[2];
};

/* Makes the tree over places. The caller has set t->ranks and t->root. */
typedef void tree_maker(struct tree *t, const struct places *places);

/* For makers: sets `child`, `next`, `order` and `served` from `parent` alone. `order` goes from the root down. */
void tree_list(struct tree *t);

/* For makers: sets `child` and `next` from `parent`: children by decreasing height, which takes the fewest rounds. */
void tree_by_height(struct tree *t);

/* Ranks in a heap. The rank with the least key comes first; of equal keys, the lowest rank. */
struct heap {
    int *rank;         /* the caller's memory, for as many ranks as the heap ever holds */
    const double *key; /* by rank; only the first rank's key may change, and only grow: see heap_settle() */
    int count;
};

void heap_add(struct heap *h, int rank);
int heap_pop(struct heap *h);
void heap_settle(struct heap *h); /* call it after the first rank's key has grown */

/* The tree cache, in the workshop. */
struct tree_cache {
    const struct places *places; /* over which the tree was made; NULL: there is no tree yet */
    tree_maker *maker;
    struct tree tree;
};

/* In the workshop, for engines that make no tree: lends them the tree's memory. The tree in it is lost. */
struct tree *tree_cache_borrow(struct tree_cache *g);

/* In the workshop: makes the tree of a shape, unless it is the one made last. */
const struct tree *tree_cache_make(struct tree_cache *g, const struct shape *shape, tree_maker *make);
