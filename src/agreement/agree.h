/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement between the ranks on their settings, and on the rules; see agree.c and rulefile.c. */
#ifndef PLEACH_AGREE_H
#define PLEACH_AGREE_H

#include "comm.h"
#include "process.h"

/*
 * Collective over c, unless it lies inside a communicator that has agreed before. Sets c->findings: whether engines may
 * serve at all (all ranks have the same library, can take part, and have equal and good settings), on which nodes the ranks
 * are, and the rules. `cannot`: why this rank cannot take part; it is told to the others here.
 */
void agree(struct comm *c, enum cannot cannot);

/*
 * Collective over c: the text of a file that rank 0 reads. NULL, on all ranks: *unread tells that the file cannot be read,
 * and `why` of rank 0 says it; else some rank has no memory.
 */
char *text_shared(struct comm *c, const char *name, bool *unread, char *why, size_t size);

/*
 * Collective over c, whose settings are agreed and name a file of places: rank 0 reads it. Sets found->path and .sites, as
 * nodes_places() if the file cannot be read or has an error, of which rank 0 tells the first. Sets found->barred where some
 * rank has no memory.
 */
void placefile_read(struct comm *c, struct findings *found);

/*
 * Collective over c, whose rank 0 has PLEACH_RULES set: it reads the file, all ranks parse the same text. Sets found->rules;
 * or found->barred if the file cannot be read or has errors, of which rank 0 tells the first.
 */
void rulefile_read(struct comm *c, struct findings *found);

#endif
