/* SPDX-License-Identifier: BSD-2-Clause */
/* Layout: finds how the ranks of a communicator lie on nodes. Pure. */
#pragma once

#include "facts.h"

/*
 * Sets nodes, node_ranks, node_least, gathered and consecutive of *m. node[r]: the node of rank r, as any number that no
 * other node has. Sets order[0 .. p-1] to the ranks node by node: the nodes come in the order of their lowest ranks, and the
 * ranks of a node ascend. Returns false, and sets nothing, if memory runs out.
 */
bool layout_of(const int *node, int p, struct machine *m, int *order);

/* Returns the level i of the tree t at which reach[i] is the cost of messages between hosts near each other. */
int layout_hosts(const struct machine *m, const struct places *t);

/*
 * Sets the figures of the measured places t, by level, from `reach`. A 0 in `reach` stands for a figure that was not
 * measured; the figure of m takes its place. Sets m->far.
 */
void layout_reach(struct machine *m, struct places *t, const struct reach *reach);
