/* SPDX-License-Identifier: BSD-2-Clause */
/* Scans over the two trees of two_tree.c, or over the first of them; see two_tree_scan.c. */
#ifndef PLEACH_TWO_TREE_SCAN_H
#define PLEACH_TWO_TREE_SCAN_H

#include "scan_trees.h"

/* The tree U over all ranks, of height floor(log2 p). */
extern const struct scan_tree scan_tree_u;

/* For struct service; slots T0 .. T3. The exclusive scan keeps its input. */
void two_tree_scan(struct schedule *s);
struct pace two_tree_scan_pace(const struct shape *shape);

#endif
