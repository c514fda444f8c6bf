/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that a user wrote for us to read: settings, rules, places. */
#ifndef PLEACH_TEXTFILE_H
#define PLEACH_TEXTFILE_H

#include <stddef.h>

enum { TEXTFILE_MOST = 1 << 20 }; /* bytes; reading never takes long, whatever a name leads to */

/*
 * Reads a file: its text, to be freed with free(), at most TEXTFILE_MOST characters; or NULL, and `why` it cannot be read
 * ("No such file or directory"). What is no regular file is refused: a pipe would make us wait, a device may have no end.
 * /dev/null is an empty text.
 */
char *textfile_read(const char *name, char *why, size_t size);

#endif
