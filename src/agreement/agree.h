/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement between the ranks on their settings, and on the rules; see agree.c and rulefile.c. */
#ifndef PLEACH_AGREE_H
#define PLEACH_AGREE_H

#include "comm.h"

/*
 * Collective over c, unless it lies inside a communicator that has agreed before. Sets c->findings: whether engines may
 * serve at all (the settings of all ranks are equal and good), on which nodes the ranks are, and the rules.
 */
void agree(struct comm *c);

/*
 * Collective over c, whose rank 0 has PLEACH_RULES set: it reads the file, all ranks parse the same text. Sets found->rules;
 * or found->barred if the file cannot be read or has errors, of which rank 0 tells the first.
 */
void rulefile_read(struct comm *c, struct findings *found);

#endif
