/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement between the ranks on their settings, and on the rules; see agree.c and rulefile.c. */
#ifndef PLEACH_AGREE_H
#define PLEACH_AGREE_H

#include "comm.h"
#include "process.h"

/*
 * Collective over c, unless it lies inside a communicator that has agreed before. Sets c->locality.info: whether engines may
 * serve at all (all ranks have the same library, can take part, and have equal and good settings), the nodes of the ranks,
 * and the rules. `cannot`: why this rank cannot take part; the others hear of it here.
 */
void agree(struct comm *c, enum cannot cannot);

/*
 * Collective over c: the text that rank 0 has read; rank 0's text is freed or returned, and other ranks' arguments do not
 * count. NULL, on all ranks: rank 0 has no text if *unread, else some rank has no memory.
 */
char *text_shared(struct comm *c, char *text, bool *unread);

/*
 * Collective over c, whose settings are agreed and name a file of places: rank 0 reads it. Sets found->path and .sites. If
 * the file cannot be read or has an error, sets them as nodes_places() does, and rank 0 tells the first error. Sets
 * found->barred if some rank has no memory.
 */
void placefile_read(struct comm *c, struct group_info *found);

/*
 * Collective over c, whose rank 0 has PLEACH_RULES set, and whose nodes are found. Rank 0 reads the file, or in a folder the
 * file for so many ranks on so many nodes, and all ranks parse the same text. Sets found->rules. If the file cannot be read
 * or has errors, sets found->barred instead, and rank 0 tells the first error.
 */
void rulefile_read(struct comm *c, struct group_info *found);

#endif
