/* SPDX-License-Identifier: BSD-2-Clause */
/* How the ranks of a communicator lie on nodes and cores. */
#ifndef PLEACH_LAYOUT_H
#define PLEACH_LAYOUT_H

#include "comm.h"

/* Collective over c. Sets c->node_ranks, and c->oversubscribed: has some node more ranks than usable cores? */
void layout_find(struct comm *c);

#endif
