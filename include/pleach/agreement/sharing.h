/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes segments; see sharing.c. */
#pragma once

#include "comm.h"

enum { SHARING_WHY = 240 }; /* bytes of the text `why` */

/*
 * Collective over c, which has a private communicator. Makes a segment on each node or, without a message, takes over those
 * of an earlier communicator of these ranks. Sets c->channel.segment on all ranks or none, c->channel.nodes on several
 * nodes, and cell, segment* and shared_tried of the machine. Returns false on all ranks, with nothing left behind, if a node
 * gets none. *seconds: the time that trying took, without waiting for late ranks. `why`: an obstacle found now and what to
 * do about it, the same on all ranks, or "".
 */
bool sharing_make(struct comm *c, double *seconds, char why[SHARING_WHY]);

/* Collective. Can these ranks share memory? Tries a small segment. */
bool sharing_works(MPI_Comm comm);

struct limit;

/*
 * Collective over c, which has segments. Sets the fields segment* of its machine, measured now or by an earlier
 * communicator. `buffers`: two cells.
 */
void sharing_measure(struct comm *c, char *buffers, struct limit *limit);

struct shared;

/* Frees this rank's part, if any. The other ranks may go on using the segment. */
void sharing_end(struct shared *shared);
