/* SPDX-License-Identifier: BSD-2-Clause */
/* Constructions of trees over places: the hierarchical pair, see pair.c; and trees that engines make from it. */
#pragma once

#include "tree_pair.h"

/*
 * Constructions, for tree_pair_make() and the like.
 *
 * pair_first: the root is the source. Its place comes first at every level. For root 0 the trees are in-order.
 * pair_last: the mirror image of pair_first, for root p-1. The trees are in-order.
 * pair_line: any root is the source, and places in a line pass both trees on from one to the next. The places keep their
 *            order, but the trees are not in-order.
 * pair_all: both trees span all ranks, in-order, and there is no source. Sets colours, but neither `down` nor the span.
 * pair_single: the tree U alone, in-order, without a source and without colours. Places in a line pass it on from one to the
 * next.
 */
tree_pair_maker pair_first, pair_last, pair_line, pair_all, pair_single;

/*
 * For constructions in other files: makes both trees within each site, in-order. The source is the site's first rank, or its
 * last rank if at_its_end.
 */
void pair_sites(struct tree_pair *b, const struct places *t, bool at_its_end);

/* Makes the tree U alone, with colours 0 .. 2 and the steps of a scan, without a source; see places_tree.c. */
tree_pair_maker places_tree_single;

/*
 * Scans over two trees over places, for tree_pair_scan(); see places_scan.c. They use the slots T0 .. T4, and the exclusive
 * scan keeps its input. places_scan goes over the pair of all ranks, for places whose ranks lie in the order of the
 * positions. gates_scan goes through gates, for sites that also are in a line.
 */
extern const struct trees places_scan, gates_scan;

/*
 * For struct service: the ordered reduction through gates; see gates.c. gates_fit() says whether it can serve: all sites are
 * in a line, and the root is rank 0 or p-1, or not the first rank of a site.
 */
bool gates_fit(const struct shape *shape);
struct round_bound gates_round_bound(const struct shape *shape);
void gates_generate(struct schedule *s);
