/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PLEACH_RULES may name a folder, with a file of rules for each shape of job; see pleach-rules(5). A job takes the first
 * that is there of
 *
 *     16-on-4.rules     16 ranks on 4 nodes
 *     16.rules          16 ranks, on however many
 *     default.rules     all others
 */
#ifndef PLEACH_RULEFOLDER_H
#define PLEACH_RULEFOLDER_H

#include "settings.h"

#include <stdbool.h>
#include <stddef.h>

enum { RULEFOLDER_FILE = SETTING_VALUE + 64 }; /* the longest name, with its NUL */

/* The file in a folder that is for these ranks on these nodes, and no others; `folder` may end with '/'. */
void rulefolder_file(const char *folder, int ranks, int nodes, char file[RULEFOLDER_FILE]);

/*
 * The text of the rules that `name`, a file or a folder, has for so many ranks on so many nodes; to be freed with free().
 * Where a folder has files, but none for them, a text without rules. file[] is the file whose text it is, or `name`. NULL,
 * with the reason, if that cannot be read, if a folder has no file of rules at all, or if memory is short.
 */
char *rulefolder_read(const char *name, int ranks, int nodes, char file[RULEFOLDER_FILE], char *why, size_t size);

bool is_rulefolder(const char *name);

/*
 * Calls `each` for all files in a folder that end with .rules, in the order of their numbers; `taken`: there are jobs that
 * take it. Returns their number, or -1 with errno.
 */
int rulefolder_each(const char *name, void (*each)(void *to, const char *file, bool taken), void *to);

#endif
