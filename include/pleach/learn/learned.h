/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules that this run has learned, one for each settled kind. Later communicators of the same ranks begin with them.
 * Rank 0 of MPI_COMM_WORLD writes them to the file of PLEACH_LEARN. Pure. No function changes errno.
 *
 * The file is replaced in one step, and whole at any time. A new rule replaces learned rules whose calls it has; other lines
 * stay. Jobs that write one file wait for each other. The first failure is reported on standard error, and the program runs
 * on.
 */
#pragma once

#include "history.h"
#include "rules.h"

/* Sets the file; only the first file in a process counts. */
void learned_open(const char *file);

/*
 * Keeps the rule of a settled kind, and writes it to the file. `group` identifies the ranks of the communicator; 0: they
 * cannot be told apart, and the rule is for the file alone. It replaces the group's rule for this kind or, in a full table,
 * the oldest. A rule of disturbed trials, and any rule in a child of fork(), is not written.
 */
void learned_keep(uint64_t group, const struct kind *k, const struct rule *rule);

/* Writes what could not be written before. */
void learned_flush(void);

/*
 * Enters the kept rules of this group into an empty history. Returns a hash of them for the ranks to compare: with several
 * threads, they may have kept different rules.
 */
uint64_t learned_start(uint64_t group, struct history *h);

/*
 * Returns the text of a file of rules with this rule in it, for free(). NULL, with the reason: `text` is no file of rules,
 * has no room, or memory is short.
 */
char *learned_put(const char *text, const struct rule *rule, char *why, size_t size);
