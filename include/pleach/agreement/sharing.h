/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments: the ranks of a node come to share memory; see sharing.c. */
#ifndef PLEACH_SHARING_H
#define PLEACH_SHARING_H

#include "comm.h"

/*
 * Collective over c, whose ranks lie on one node, and which has a private communicator. Makes a segment, or takes the one of
 * an earlier communicator of the same ranks: then ranks send nothing. Sets c->channel.segment on all ranks or on none, and,
 * for all that decide, machine.cell and machine.shared_tried. False, on all ranks: there is none, because of the budget
 * (PLEACH_SHARED), a limit of some process, or as some rank cannot reach what another has made. Nothing is left of it then.
 */
bool sharing_make(struct comm *c);

/* Frees a segment, or NULL, on this rank alone: the others may use it on. */
void sharing_end(struct segment *s);

#endif
