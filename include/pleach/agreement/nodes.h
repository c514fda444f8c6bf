/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes and cores of a communicator's ranks. */
#pragma once

#include "comm.h"

/*
 * Collective over c. Sets found->node, nodes, domain, oversubscribed and path, as without a file of places: each node is a
 * place and, with PLEACH_PLACES=auto, each rack that the launcher tells; none with PLEACH_PLACES=none.
 */
void nodes_find(struct comm *c, struct group_info *found);

/*
 * Collective over c, at its first call that may take an engine. Sets c->locality.nodes, nodes and places of its machine and,
 * unless PLEACH_LEARN is off, its history. Returns false on all ranks if one lacks memory for nodes or places: no engine
 * serves c any more. Without memory for the history, c has none.
 */
bool nodes_settle(struct comm *c);
