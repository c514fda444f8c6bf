/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes and cores of a communicator's ranks. */
#ifndef PLEACH_NODES_H
#define PLEACH_NODES_H

#include "comm.h"

/* Collective over c. Sets found->node, found->nodes and found->oversubscribed. */
void nodes_find(struct comm *c, struct group_info *found);

/*
 * Sets each rank's path (the numbers of the places that it lies in) as if PLEACH_PLACES named no file: each node is a place;
 * with PLEACH_PLACES=none there are no places.
 */
void nodes_places(const struct comm *c, struct group_info *found);

/*
 * Collective over c, at its first call that may take an engine. Sets the nodes and places of c->known.machine from c's group
 * info. Unless PLEACH_LEARN is off, makes c's history, with all that c inherits. If a rank lacks memory for the nodes or
 * places, returns false on all ranks, and no engine serves c any more. If a rank lacks memory for the history alone, c has
 * none.
 */
bool nodes_settle(struct comm *c);

/*
 * The ranks of a communicator, node by node. A position is a rank's number in this order. The nodes come in the order of
 * their lowest ranks, unless region_sort() has sorted them by places. The ranks of a node come in ascending order.
 */
struct by_node {
    int ranks, nodes;
    int *node;      /* the number of each rank's node; nodes are numbered by their lowest ranks */
    int *lead;      /* the lowest rank of each node */
    int *rank;      /* the rank at each position */
    int mine;       /* this rank's position */
    int first, end; /* the positions of this rank's node are first .. end-1 */
};

/* Makes the list from c's group info. If memory is short, returns false, and there is nothing to free. */
bool nodes_list(const struct comm *c, struct by_node *list);
void nodes_list_free(struct by_node *list);

/* Sets the fields that differ between ranks: mine, first and end. */
void nodes_find_own(struct by_node *list, int rank);

/* Do the ranks at two positions lie on one node? */
bool nodes_same(const struct by_node *list, int a, int b);

#endif
