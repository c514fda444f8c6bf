/* SPDX-License-Identifier: BSD-2-Clause */
/* The agreement of ranks on their settings and on the rules; see agree.c and rules_file.c. */
#pragma once

#include "comm.h"
#include "process.h"

#include <stdatomic.h>

/*
 * Sets c->locality.info to the group info that this rank would inherit, or to NULL. Returns true on all ranks if they
 * inherit it without a message; then agree() must not be called.
 */
bool agreed_before(struct comm *c);

/*
 * Collective over c, for which agreed_before() has returned false. Sets c->locality.info, which contains the nodes of
 * the ranks, the rules, and whether engines may serve at all. They may if all ranks belong to one job, have the same
 * library, can take part, and have equal and good settings, and if the file of rules has no error. `cannot` says why this
 * rank cannot take part. The other ranks learn it here.
 */
void agree(struct comm *c, enum cannot cannot);

/*
 * Collective over c. Returns on all ranks the text that rank 0 has read. Rank 0 passes its text, which the function frees or
 * returns. The other ranks' arguments are ignored. Returns NULL on all ranks if rank 0 passes NULL (then *unread is true) or
 * if memory is short on a rank.
 */
char *text_shared(struct comm *c, char *text, bool *unread);

/*
 * Rank 0 reports an error of such a text, which `format` describes, and the effect of the error, unless *said: it has done
 * so for another group. With PLEACH_STRICT it then aborts the job.
 */
__attribute__((format(printf, 5, 6))) void text_broken(const struct comm *c, const char *setting, const char *effect,
                                                       atomic_flag *said, const char *format, ...);

/*
 * Collective over c, whose ranks have agreed on settings that name a file of places. Rank 0 reads the file. Sets found->path
 * and found->sites. If the file cannot be read or has an error, leaves found->path as it is, and rank 0 reports
 * the first error. If memory is short on a rank, sets found->barred.
 */
void placefile_read(struct comm *c, struct group_info *found);

/*
 * Collective over c, whose nodes are found. PLEACH_RULES of rank 0 names a file. Rank 0 reads the file, and all ranks parse
 * the text. Sets found->rules. If the file is unreadable or has errors, or if memory is short on a rank, sets found->barred,
 * and rank 0 reports the first error.
 */
void rules_file_read(struct comm *c, struct group_info *found);
