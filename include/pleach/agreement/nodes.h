/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes and cores of a communicator's ranks. */
#pragma once

#include "comm.h"

/*
 * Collective over c. Sets found->node, found->nodes and found->oversubscribed, and each rank's path as if PLEACH_PLACES
 * named no file: each node is a place, and with PLEACH_PLACES=auto each rack that the launcher tells; with
 * PLEACH_PLACES=none there are no places.
 */
void nodes_find(struct comm *c, struct group_info *found);

/*
 * Collective over c, at its first call that may take an engine. Sets c->locality.nodes, and the nodes and places of
 * c->known.machine, from c's group info. Unless PLEACH_LEARN is off, makes c's history, with all that c inherits. If a rank
 * lacks memory for the nodes or places, returns false on all ranks, and no engine serves c any more. If a rank lacks memory
 * for the history alone, c has none.
 */
bool nodes_settle(struct comm *c);
