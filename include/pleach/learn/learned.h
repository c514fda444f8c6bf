/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules that this run has learned, one for each settled kind. Later communicators of the same ranks begin with them;
 * rank 0 of MPI_COMM_WORLD writes them to the file of PLEACH_LEARN. Pure; leaves errno alone.
 *
 * The file is whole at any time. A new rule replaces learned rules whose calls it has; other lines stay. Jobs with one file
 * wait for each other. The first failure is reported.
 */
#pragma once

#include "history.h"
#include "rules.h"

/* Sets the file; only the first file in a process counts. */
void learned_open(const char *file);

/*
 * `group`: of the communicator's ranks; 0: unknown, and the rule is for the file alone. Replaces the group's rule for this
 * kind or, in a full table, the oldest. Not written: rules of disturbed trials, and in a child of fork().
 */
void learned_keep(uint64_t group, const struct kind *k, const struct rule *rule);

/* Writes what could not be written before. */
void learned_flush(void);

/* Enters the group's rules into an empty history. Returns their hash, to compare: threads may have kept different ones. */
uint64_t learned_start(uint64_t group, struct history *h);

/* A file's text with this rule in it, for free(). NULL, with the reason: no file of rules, no room, no memory. */
char *learned_put(const char *text, const struct rule *rule, char *why, size_t size);
