/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes and cores of a communicator's ranks, and which ranks are near each other. */
#ifndef PLEACH_NODES_H
#define PLEACH_NODES_H

#include "comm.h"

/* Collective over c. Finds found->node, and found->oversubscribed. */
void nodes_find(struct comm *c, struct group_info *found);

/* Sets the paths of all ranks from the settings alone. PLEACH_PLACES names no file. */
void nodes_places(const struct comm *c, struct group_info *found);

/*
 * Collective over c, at its first call that may take an engine: finds the nodes of its machine from its group info. False,
 * on all ranks, if some rank has no memory; then no engine serves here any more.
 */
bool nodes_settle(struct comm *c);

/* The ranks of a communicator node by node: nodes in the order of their lowest ranks, those of a node ascending. */
struct by_node {
    int ranks, nodes;
    int *node;      /* the number of each rank's node; nodes are numbered by their lowest ranks */
    int *lead;      /* the lowest rank of each node */
    int *rank;      /* the rank at each position */
    int mine;       /* this rank's position */
    int first, end; /* the positions of its node: first .. end-1 */
};

/* Makes it from c's group info. False: no memory; then there is nothing to free. */
bool nodes_list(const struct comm *c, struct by_node *list);
void nodes_list_free(struct by_node *list);

/* Sets this rank's own fields: its position, and the positions of its node. */
void nodes_find_own(struct by_node *list, int rank);

/* Do the ranks at two positions lie on one node? */
bool nodes_same(const struct by_node *list, int a, int b);

#endif
