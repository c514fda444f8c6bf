/* SPDX-License-Identifier: BSD-2-Clause */
/* The two trees of the shift construction: children and colour of each node, scans over the trees; see shift_trees.c. */
#pragma once

#include "trees.h"

/* The next three functions serve trees over the nodes 0 .. m-1, 1 <= m < 2^31, each by some dozen word operations. */

/* Children of node x, left and right; -1 where there is none. */
void two_tree_children(int m, int t, int x, int child[2]);

/* Colour, 0 or 1, of the edge that enters node x; at the root, of the edge from the source. */
int two_tree_colour(int m, int t, int x);

int two_tree_root(int m, int t);

/*
 * For the mirrored trees (two_tree_mirror.c): the colour of the edge that enters the even node i of T1 = A(m), 1 <= i <= m,
 * m even. The paper finds the colour in O(log m), on the way from i up to the root. The function is a closed form, O(1).
 */
int mirror_colour(int m, int i);

/* two_trees: U and V, with hops by colour. single_tree: U, with hops by side; its height is floor(log2 m). */
extern const struct family two_trees, single_tree;

/* For struct service: scans over both trees, in slots T0 .. T3. The exclusive scan keeps its input. See two_tree_scan.c. */
void two_tree_scan(struct schedule *s);
struct round_bound two_tree_scan_round_bound(const struct shape *shape);
