/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree of any degree that an engine made last. */
#pragma once

#include "place_tree.h"
#include "schedule.h"

struct tree {
    int ranks, root;
    /* The maker's, p numbers each. */
    int *parent; /* NOBODY at the root */
    int *child;  /* the first child, or NOBODY */
    int *next;   /* the parent's next child, or NOBODY */
    /* These follow from them. */
    int *order;  /* the ranks by distance from the root, siblings in the order of service */
    int *served; /* where in `order` the children begin */
    int *when;   /* step of the first block; -1: the root */
    int period;  /* steps between two blocks: the most children, but at least 1 */
    int rounds;  /* for one block */
    /* For one block, by the reach of the places; 0 unless the maker sets it. */
    double seconds;
    /* Memory for makers, p numbers each. */
    int *spare[3];
    double *value[2];
};

/* The caller has set ranks and root. */
typedef void tree_maker(struct tree *t, const struct places *places);

/* For makers: sets `child`, `next`, `order`, `served` from `parent`. `order` goes from the root down. */
void tree_list(struct tree *t);

/* For makers: sets `child` and `next`; children by decreasing height, which takes the fewest rounds. */
void tree_by_height(struct tree *t);

/* The least key comes first; of equal keys, the lowest rank. */
struct heap {
    int *rank;         /* the caller's memory */
    const double *key; /* by rank; only the first rank's may change, and only grow */
    int count;
};

void heap_add(struct heap *h, int rank);
int heap_pop(struct heap *h);
void heap_settle(struct heap *h); /* after the first rank's key has grown */

struct tree_cache {
    const struct places *places; /* of the tree; NULL: none */
    tree_maker *maker;
    struct tree tree;
};

/* Lends the tree's memory; the tree is lost. */
struct tree *tree_cache_borrow(struct tree_cache *g);

/* Makes the shape's tree, unless it is there. */
const struct tree *tree_cache_make(struct tree_cache *g, const struct shape *shape, tree_maker *make);
