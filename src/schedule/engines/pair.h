/* SPDX-License-Identifier: BSD-2-Clause */
/* The hierarchical pair: two trees over places that cross every boundary once in each direction; see pair.c. */
#ifndef PLEACH_PAIR_H
#define PLEACH_PAIR_H

#include "tree_pair.h"

/*
 * Constructions, for tree_pair_made() and the like.
 *
 * pair_first: the root is the source. Its place comes first at every level. For root 0 the trees are in-order.
 * pair_last: the mirror image of pair_first, for root p-1. The trees are in-order.
 * pair_line: any root is the source, and places in a line pass both trees on from one to the next. The places keep their
 *            order, but the trees are not in-order.
 * pair_all: both trees span all ranks, in-order, and there is no source. It sets colours, but neither `down` nor the span.
 */
tree_pair_maker pair_first, pair_last, pair_line, pair_all;

/*
 * For constructions in other files: makes both trees within a place, in-order. The source is the place's first rank, or its
 * last rank if at_its_end.
 */
void pair_weave(struct tree_pair *b, const struct places *t, int row, bool at_its_end);

#endif
