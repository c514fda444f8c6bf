/* SPDX-License-Identifier: BSD-2-Clause */
/* How the ranks of a communicator lie on nodes and cores. */
#ifndef PLEACH_LAYOUT_H
#define PLEACH_LAYOUT_H

#include "comm.h"

/* Collective over c. Finds in c->standing: most ranks on a node, and whether some node has more ranks than usable cores. */
void layout_find(struct comm *c);

#endif
