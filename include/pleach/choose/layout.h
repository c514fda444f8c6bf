/* SPDX-License-Identifier: BSD-2-Clause */
/* Layout: how the ranks of a communicator lie on nodes. Pure. */
#ifndef PLEACH_LAYOUT_H
#define PLEACH_LAYOUT_H

#include "facts.h"

/*
 * Sets nodes, node_ranks, gathered and consecutive of *m. node[0 .. p-1] has the node of each rank: any numbers, equal for
 * ranks of one node. Sets order[0 .. p-1] to the ranks node by node: nodes in the order of their lowest ranks, the ranks of
 * a node ascending. False if there is no memory; then nothing is set.
 */
bool layout_of(const int *node, int p, struct machine *m, int *order);

/* The level of a tree of places whose reach is that between hosts. */
int layout_hosts(const struct machine *m, const struct places *t);

/*
 * Gives the measured places t their figures: those of `reach`, by level. A 0 in `reach` was not measured; m's figure, which
 * is known, takes its place. Sets m->far.
 */
void layout_reach(struct machine *m, struct places *t, const struct reach *reach);

#endif
