/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement between the ranks on their settings; see agree.c. */
#ifndef PLEACH_AGREE_H
#define PLEACH_AGREE_H

#include "comm.h"

/*
 * Collective over c, unless c lies inside a communicator that has agreed before. Compares the settings of all ranks; sets
 * c->standing.barred, the same on all ranks, if they differ or are bad. Finds the layout: see layout.h.
 */
void agree(struct comm *c);

/* Forgets all agreements, at the end. */
void agree_close(void);

#endif
