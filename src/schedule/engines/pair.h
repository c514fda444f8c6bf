/* SPDX-License-Identifier: BSD-2-Clause */
/* The hierarchical pair: two trees over places that cross every boundary once in each direction; see pair.c. */
#ifndef PLEACH_PAIR_H
#define PLEACH_PAIR_H

#include "tree_pair.h"

/*
 * Constructions, for tree_pair_made() and the like.
 *
 * pair_first: the root is the source. Its place comes first at every level; for root 0 the trees are in-order.
 * pair_last: the mirror image, for root p-1: the trees are in-order.
 * pair_line: any root is the source, nothing is moved, and places in a line pass all on from one to the next; not in-order.
 * pair_all: no source: both trees span all ranks, in-order. Colours only: `down` and the span are not set.
 */
tree_pair_maker pair_first, pair_last, pair_line, pair_all;

/* For constructions of other files: the trees that a source at one end of a place feeds, within it, both in-order. */
void pair_weave(struct tree_pair *b, const struct places *t, int row, bool at_its_end);

#endif
