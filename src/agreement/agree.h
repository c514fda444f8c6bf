/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement on settings (agree.c), rules (rules_file.c) and places. */
#pragma once

#include "comm.h"
#include "process.h"

#include <stdatomic.h>

/*
 * Sets c->locality.info to the group info that this rank would inherit, or NULL. Returns true on all ranks if they inherit
 * it without a message; then do not call agree().
 */
bool agreed_before(struct comm *c);

/*
 * Collective over c, if agreed_before() is false. Sets c->locality.info: nodes, rules, and whether engines may serve. They
 * may if all ranks are of one job, have one build, equal and good settings and good rules, and can take part. `cannot`: why
 * this rank cannot, which all learn here.
 */
void agree(struct comm *c, enum cannot cannot);

/*
 * Collective over c. Returns rank 0's text on all ranks. Rank 0 passes it, and the function frees or returns it; the
 * arguments of others are ignored. Returns NULL on all ranks if rank 0 passes NULL (then *unread is true), or if memory is
 * short on a rank.
 */
char *text_shared(struct comm *c, char *text, bool *unread);

/*
 * Rank 0 reports an error of a text, which is a PROBLEM_RULES or PROBLEM_PLACES, unless *said. With PLEACH_STRICT it aborts
 * the job.
 */
__attribute__((format(printf, 4, 5))) void text_broken(const struct comm *c, int problem, atomic_flag *said,
                                                       const char *format, ...);

/*
 * Collective over c, whose settings name a file of places. Rank 0 reads it and reports its first error. Sets found->path and
 * sites, unless the file is bad; found->barred if memory is short on a rank.
 */
void placefile_read(struct comm *c, struct group_info *found);

/*
 * Collective over c, whose nodes are found. Rank 0 reads the file of PLEACH_RULES and reports its first error; all parse it.
 * Sets found->rules, or found->barred if it is bad or memory is short on a rank.
 */
void rules_file_read(struct comm *c, struct group_info *found);
