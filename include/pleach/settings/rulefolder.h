/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PLEACH_RULES may name a folder of rules; see pleach-rules(5). A job takes the first of these files that exists:
 *
 *     16-on-4.rules     16 ranks on 4 nodes
 *     16.rules          16 ranks on any number of nodes
 *     default.rules     any other job
 */
#ifndef PLEACH_RULEFOLDER_H
#define PLEACH_RULEFOLDER_H

#include "settings.h"

#include <stdbool.h>
#include <stddef.h>

enum { RULEFOLDER_FILE = SETTING_VALUE + 64 }; /* the longest name, with its NUL */

/* Sets file[] to the name of the file in `folder` for so many ranks on so many nodes. `folder` may end with '/'. */
void rulefolder_file(const char *folder, int ranks, int nodes, char file[RULEFOLDER_FILE]);

/*
 * Reads the text of the rules for so many ranks on so many nodes from `name`, a file or a folder. The caller frees the text
 * with free(). A folder that has files, but none for this job, gives a text without rules. So does a missing file that is
 * also `grows`, the file to which the run writes its lessons ("" if there is none). Sets file[] to the name of the file that
 * was read, else to `name`. Returns NULL, and the reason in `why`, if the file cannot be read, the folder has no file of
 * rules at all, or memory is short.
 */
char *rulefolder_read(const char *name, const char *grows, int ranks, int nodes, char file[RULEFOLDER_FILE], char *why,
                      size_t size);

bool is_rulefolder(const char *name);

/*
 * Calls `each` (may be NULL) for each file *.rules in a folder, in the order of the numbers in their names. `taken`: some
 * job would take the file. Returns the number of the files, or -1 with errno.
 */
int rulefolder_each(const char *name, void (*each)(void *to, const char *file, bool taken), void *to);

#endif
