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

/*
 * Lets engines make their trees over the measured places t by the figures of the machine: m->reach and, where it tells
 * nothing, m->figures. Sets m->far. m->reach and m->figures are known.
 */
void layout_reach(struct machine *m, struct places *t);

#endif
