/* SPDX-License-Identifier: BSD-2-Clause */
/* The place of a node in the two trees of the shift construction; see two_tree.c. */
#ifndef PLEACH_TWO_TREE_H
#define PLEACH_TWO_TREE_H

#include <stdint.h>

enum tree { TREE_U, TREE_V };

/* One node of one tree over the nodes 0 .. m-1. */
struct tree_node {
    int parent;          /* -1 at the root */
    int child[2];        /* left, right; -1 where there is none */
    int colour;          /* of the edge from the parent (at the root: from outside), 0 or 1 */
    int child_colour[2]; /* of the edge to each child */
};

/* Parent of node `x` in a tree over m >= 1 nodes, -1 at the root. O(1). */
int two_tree_parent(int m, enum tree t, int x);

/* Colour of the edge that enters node `x`. O(1). */
int two_tree_colour(int m, enum tree t, int x);

/* Root of a tree. O(1). */
int two_tree_root(int m, enum tree t);

/* All about node `x`. O(1): a few dozen word operations, no table, no walk. */
void two_tree_node(int m, enum tree t, int x, struct tree_node *node);

#endif
