/* SPDX-License-Identifier: BSD-2-Clause */
/* On which nodes and cores the ranks of a communicator are. */
#ifndef PLEACH_NODES_H
#define PLEACH_NODES_H

#include "comm.h"

/* Collective over c. Finds found->node, and found->oversubscribed. */
void nodes_find(struct comm *c, struct findings *found);

/* The numbers of the nodes of c's ranks, from what is known of a group around c. False: no memory. */
bool nodes_numbers(struct comm *c, int *number);

/*
 * Collective over c, at its first call that may take an engine: makes c->machine and the order of the ranks from what is
 * known of their nodes. False, on all ranks, if some rank has no memory; then no engine serves here any more.
 */
bool nodes_settle(struct comm *c);

/* The rank at a position, in the order of the nodes; c is settled. */
int nodes_rank_at(const struct comm *c, int position);

/* The positions of this rank's node, *first .. *end-1, from nodes_numbers(); returns its own. */
int nodes_stretch(const struct comm *c, const int *node, int *first, int *end);

#endif
