/* SPDX-License-Identifier: BSD-2-Clause */
/* How the ranks of a communicator lie on nodes. Pure. */
#pragma once

#include "facts.h"

/*
 * Sets nodes, node_ranks, node_least, gathered and consecutive from node[r], any number of rank r's node. order[]: the ranks
 * node by node, nodes in the order of their lowest ranks, ranks ascending. Returns false, and sets nothing, if memory runs
 * out.
 */
bool layout_of(const int *node, int p, struct machine *m, int *order);

/*
 * Ranks of a domain, if they are equally many: on each node, from its first rank on, so many ranks in a row are bound inside
 * one domain, the next ones inside another, and so on; the last row of a node may be shorter. Else 0, also if each node is
 * one domain. domain[r]: of rank r, a number on its node, or negative if it is not bound inside one. order[]: as above.
 */
int layout_domain(const int *node, const int *domain, int p, const int *order);

/* The level i at which reach[i] is between hosts near each other. */
int layout_hosts(const struct machine *m, const struct places *t);

/* Sets the figures of measured places, by level, and m->far; 0 (not measured) stands for the figure of m. */
void layout_reach(struct machine *m, struct places *t, const struct reach *reach);
