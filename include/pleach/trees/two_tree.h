/* SPDX-License-Identifier: BSD-2-Clause */
/* The two trees of the shift construction, and scans over them; see shift_trees.c. */
#pragma once

#include "trees.h"

/* Trees over nodes 0 .. m-1, 1 <= m < 2^31; some dozen word operations each. */

/* Children, left and right; -1 where there is none. */
void two_tree_children(int m, int t, int x, int child[2]);

/* Colour, 0 or 1, of the edge that enters x from its parent or the source. */
int two_tree_colour(int m, int t, int x);

int two_tree_root(int m, int t);

/*
 * Of the mirrored trees (two_tree_mirror.c): the colour of the edge into the even node i of T1 = A(m), 1 <= i <= m, m even,
 * in O(1).
 */
int mirror_colour(int m, int i);

/* two_trees: hops by colour. single_tree: U, hops by side, height floor(log2 m). */
extern const struct family two_trees, single_tree;

/* Over both trees, slots T0 .. T3; the exclusive scan keeps its input. See two_tree_scan.c. */
void two_tree_scan(struct schedule *s);
struct round_bound two_tree_scan_round_bound(const struct shape *shape);
