/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement between the ranks on their settings; see agree.c. */
#ifndef PLEACH_AGREE_H
#define PLEACH_AGREE_H

#include "comm.h"

/*
 * Collective over c, unless it lies inside a communicator that has agreed before. Sets c->findings: whether engines may serve
 * at all (the settings of all ranks are equal and good), on which nodes the ranks are, and the rules.
 */
void agree(struct comm *c);

#endif
