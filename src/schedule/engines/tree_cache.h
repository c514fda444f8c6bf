/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tree cache: the tree of any degree over the positions of places that an engine made last, for a root. Its memory is
 * that of the places, so making a schedule neither allocates nor fails.
 */
#ifndef PLEACH_TREE_CACHE_H
#define PLEACH_TREE_CACHE_H

#include "schedule.h"

/* A tree over p ranks. */
struct tree {
    int ranks, root;
    /* What a maker fills in, p of each. */
    int *parent; /* NOBODY at the root */
    int *child;  /* the first child, or NOBODY; see tree_by_height() */
    int *next;   /* the child that the parent serves next, or NOBODY */
    /* What follows from these. */
    int *order;  /* the ranks by their distance from the root; the children of each together, in the order of service */
    int *served; /* where in `order` a rank's children begin */
    int *when;   /* the step in which a rank gets the first block; -1: the root */
    int period;  /* steps between two blocks: the most children of a rank, but at least 1 */
    int rounds;  /* for one block */
    /* By the maker: seconds for one block, by the reach of the places; 0: it does not tell. */
    double seconds;
    /* For makers: p numbers each, of no meaning before and after. */
    int *spare[3];
    double *value[2];
};

/* Makes the tree for a root over places; ranks and root are filled in. */
typedef void tree_maker(struct tree *t, const struct places *places);

/* For makers: lists the ranks from the root down, by their parents alone; sets `child`, `next`, `order`, `served`. */
void tree_list(struct tree *t);

/*
 * For makers: tells the children from the parents. They are served by decreasing height, so that it takes the fewest rounds.
 */
void tree_by_height(struct tree *t);

/* Ranks in a heap: the least key comes first, of equal ones that of the lowest rank. */
struct heap {
    int *rank;         /* memory for as many as it ever has */
    const double *key; /* by rank; that of the first may grow, see heap_settle() */
    int count;
};

void heap_add(struct heap *h, int rank);
int heap_take(struct heap *h);
void heap_settle(struct heap *h); /* the key of the first has grown */

struct tree_cache *tree_cache_new(int ranks); /* NULL: no memory */
void tree_cache_free(struct tree_cache *g);
void tree_cache_clear(struct tree_cache *g); /* forgets all trees */

/*
 * For engines that make no tree: a tree's memory, which then holds no tree, and NOTES numbers to remember what it holds.
 * They are 0 if a tree has been made in it since.
 */
enum { NOTES = 5 };
struct tree *tree_cache_borrow(const struct places *places, int64_t **note);

/* The tree of a shape; made if it is not the one that was made last. Valid until the next call. */
const struct tree *tree_cache_tree(const struct shape *shape, tree_maker *make);

#endif
