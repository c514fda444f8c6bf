/* SPDX-License-Identifier: BSD-2-Clause */
/* Files written by the user: settings, rules, places. */
#ifndef PLEACH_TEXTFILE_H
#define PLEACH_TEXTFILE_H

#include <stddef.h>

enum { TEXTFILE_MOST = 1 << 20 }; /* bytes; a limit keeps reading short, whatever the file */

/*
 * Reads a file. Returns its text, at most TEXTFILE_MOST characters, to be freed with free(). NULL: it cannot be read, and
 * `why` has the reason ("No such file or directory"). Refuses all but regular files: a pipe would make us wait, a device may
 * have no end. /dev/null gives an empty text.
 */
char *textfile_read(const char *name, char *why, size_t size);

#endif
