/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PLEACH_RULES may name a folder, with a file of rules for each shape of job; see pleach-rules(5). A job takes the first of
 * these that exists:
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

/* The name of the file in a folder for exactly these ranks on these nodes; `folder` may end with '/'. */
void rulefolder_file(const char *folder, int ranks, int nodes, char file[RULEFOLDER_FILE]);

/*
 * The text of the rules in `name`, a file or a folder, for so many ranks on so many nodes; to be freed with free(). A folder
 * that has files, but none for this job, gives a text without rules. Sets file[] to the file that was read, or to `name`.
 * NULL, with the reason, if the file cannot be read, if a folder has no file of rules at all, or if memory is short.
 */
char *rulefolder_read(const char *name, int ranks, int nodes, char file[RULEFOLDER_FILE], char *why, size_t size);

bool is_rulefolder(const char *name);

/*
 * Calls `each` for all files in a folder that end with .rules, in the order of their numbers; `taken`: some job would take
 * the file. Returns their number, or -1 with errno.
 */
int rulefolder_each(const char *name, void (*each)(void *to, const char *file, bool taken), void *to);

#endif
