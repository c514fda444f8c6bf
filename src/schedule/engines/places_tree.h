/* SPDX-License-Identifier: BSD-2-Clause */
/* The one in-order tree that keeps places together, which struct places owns; see places_tree.c. */
#ifndef PLEACH_PLACES_TREE_H
#define PLEACH_PLACES_TREE_H

#include "places.h"

struct places_tree {
    int height; /* edges from the root to the deepest leaf */
    struct tree_node {
        int parent;   /* -1 at the root */
        int child[2]; /* left, right; -1 where there is none */
    } node[];         /* of each position */
};

/* Makes the tree. NULL: no memory. Free it. */
struct places_tree *places_tree_of(const struct places *places);

#endif
