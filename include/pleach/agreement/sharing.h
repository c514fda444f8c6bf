/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes segments, the memory that ranks of a node share; see sharing.c. */
#pragma once

#include "comm.h"

enum { SHARING_WHY = 240 }; /* bytes for the text of an obstacle */

/*
 * Collective over c, whose ranks have a private communicator. Makes a segment on each node, or takes the segments of an
 * earlier communicator of the same ranks. Taking them needs no message. Sets c->channel.segment on all ranks or on none,
 * c->channel.nodes if there are several nodes, and the fields cell, segment* and shared_tried of c's machine. Returns false
 * on all ranks and leaves nothing behind if a node gets no segment, for example because the budget (PLEACH_SHARED) or the
 * limits of a process do not allow one, or because a rank cannot open memory that another rank has made. Sets *seconds to
 * the time that trying took, without the wait for ranks that come late. Sets `why` to the obstacle and what a user can do
 * about it, the same on all ranks, if this call has found one; else to "".
 */
bool sharing_make(struct comm *c, double *seconds, char why[SHARING_WHY]);

/* Collective. Can these ranks share memory? Makes a small segment, and frees it. */
bool sharing_works(MPI_Comm comm);

struct limit;

/*
 * Collective over c, which has segments. Measures them unless another communicator has done so, and sets the fields segment*
 * of c's machine. `buffers` has two cells.
 */
void sharing_measure(struct comm *c, char *buffers, struct limit *limit);

struct shared;

/* Frees this rank's part in a segment, if there is one. The other ranks may continue to use the segment. */
void sharing_end(struct shared *shared);
