/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement between the ranks on their settings, and on the rules; see agree.c and rulefile.c. */
#ifndef PLEACH_AGREE_H
#define PLEACH_AGREE_H

#include "comm.h"
#include "process.h"

/*
 * Collective over c, unless it lies inside a communicator that has agreed before. Sets c->locality.info: whether engines
 * may serve at all (all ranks have the same library, can take part, and have equal and good settings), on which nodes the
 * ranks are, and the rules. `cannot`: why this rank cannot take part; it is told to the others here.
 */
void agree(struct comm *c, enum cannot cannot);

/*
 * Collective over c: the text that rank 0 has read, which is freed or returned there; what other ranks pass does not count.
 * NULL, on all ranks: *unread tells that rank 0 has none; else some rank has no memory.
 */
char *text_shared(struct comm *c, char *text, bool *unread);

/*
 * Collective over c, whose settings are agreed and name a file of places: rank 0 reads it. Sets found->path and .sites, as
 * nodes_places() if the file cannot be read or has an error, of which rank 0 tells the first. Sets found->barred where some
 * rank has no memory.
 */
void placefile_read(struct comm *c, struct group_info *found);

/*
 * Collective over c, whose rank 0 has PLEACH_RULES set, and whose nodes are found: it reads the file, of a folder that for
 * so many ranks on so many nodes, and all ranks parse the same text. Sets found->rules; or found->barred if the file cannot
 * be read or has errors, of which rank 0 tells the first.
 */
void rulefile_read(struct comm *c, struct group_info *found);

#endif
