/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules that this run has learned, one for each settled kind of calls. A later communicator of the same ranks begins
 * with them, and rank 0 of MPI_COMM_WORLD writes them to the file that PLEACH_LEARN names. Pure. No function changes errno.
 *
 * Each new rule replaces the file in one step, so the file is whole however the program ends. A new rule takes the place of
 * learned rules whose calls it has. All other lines of the file stay. Jobs that write one file wait for each other. A line
 * on standard error reports the first failure, and the program runs on.
 */
#pragma once

#include "history.h"
#include "rules.h"

/* Sets the file; only the first file in a process counts. */
void learned_open(const char *file);

/*
 * Keeps the rule of a settled kind, and writes it to the file, if there is one. `group` identifies the ranks of the
 * communicator; 0: they cannot be told apart, so the rule is for the file alone. It replaces the older rule of this group
 * and kind, or else the oldest rule of the run if the table is full. In a child that fork() made, nothing is written, and no
 * rule of disturbed trials.
 */
void learned_keep(uint64_t group, const struct kind *k, const struct rule *rule);

/* Writes what could not be written before. */
void learned_flush(void);

/*
 * Enters all kinds for which rules of this group are kept into an empty history. Returns a hash of these rules. The ranks
 * compare their hashes: with several threads, they may have kept different rules.
 */
uint64_t learned_start(uint64_t group, struct history *h);

/*
 * Returns the text of a file of rules with this rule in it; the caller frees it with free(). Returns NULL, with the reason,
 * if `text' is no file of rules, has no room, or memory is short.
 */
char *learned_put(const char *text, const struct rule *rule, char *why, size_t size);
