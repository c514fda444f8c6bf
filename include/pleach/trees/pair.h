/* SPDX-License-Identifier: BSD-2-Clause */
/* Constructions of trees over places: the hierarchical pair (pair.c), and what engines make from it. */
#pragma once

#include "tree_pair.h"

/*
 * For tree_pair_make() and the like.
 *
 *   pair_first   the root is the source; its place comes first at every level. For root 0 the trees are in-order
 *   pair_last    its mirror image, for root p-1; in-order
 *   pair_line    any root; places in a line pass both trees on. The places keep their order, the trees are not in-order
 *   pair_all     both trees over all ranks, in-order, without a source. Sets colours, but neither `down` nor the span
 *   pair_single  the tree U alone, in-order, without source and colours. Places in a line pass it on
 */
tree_pair_maker pair_first, pair_last, pair_line, pair_all, pair_single;

/* Both trees within each site, in-order. The source is the site's first rank, or its last if at_its_end. */
void pair_sites(struct tree_pair *b, const struct places *t, bool at_its_end);

/* U alone, without a source, with colours and steps of a scan; see places_tree.c. */
tree_pair_maker places_tree_single;

/*
 * For tree_pair_scan(); see places_scan.c. Slots T0 .. T4; the exclusive scan keeps its input. Ranks of places must lie in
 * the order of the positions; for gates_scan, sites also in a line.
 */
extern const struct trees places_scan, gates_scan;

/*
 * The ordered reduction through gates; see gates.c. It fits if sites are in a line, and the root is 0, p-1, or not the first
 * rank of a site.
 */
bool gates_fit(const struct shape *shape);
struct round_bound gates_round_bound(const struct shape *shape);
void gates_generate(struct schedule *s);
