/* SPDX-License-Identifier: BSD-2-Clause */
/* Layout: how the ranks of a communicator lie on nodes. Pure. */
#ifndef PLEACH_LAYOUT_H
#define PLEACH_LAYOUT_H

#include "facts.h"

/*
 * Sets nodes, node_ranks, gathered and consecutive of *m from the numbers of the nodes on which the ranks 0 .. p-1 lie (any
 * numbers, equal for ranks of one node). order[0 .. p-1] becomes the ranks node by node: nodes in the order of their lowest
 * ranks, the ranks of a node ascending. False if there is no memory; then nothing is set.
 */
bool layout_of(const int *node, int p, struct machine *m, int *order);

/* The level of a tree of places on which the ways between hosts lie. */
int layout_hosts(const struct machine *m, const struct places *t);

/*
 * Gives the measured places t their figures: those of `reach`, by level, and m's, which are known, where these are 0, as
 * they were not measured. Sets m->far.
 */
void layout_reach(struct machine *m, struct places *t, const struct reach *reach);

#endif
