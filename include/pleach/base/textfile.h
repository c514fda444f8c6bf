/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads files of text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TEXTFILE_MOST = 1 << 20 }; /* bytes */

/*
 * Returns the text, for free(), or NULL with the reason: also if the file is longer than TEXTFILE_MOST, or neither a regular
 * file nor /dev/null, which counts as empty. Skips a byte order mark.
 */
char *textfile_read(const char *name, char *why, size_t size);

/* Likewise for files of Pleach's own, of up to INT_MAX - 1 characters. */
char *textfile_read_own(const char *name, char *why, size_t size);

/*
 * Cuts off the line's first word. Returns NULL at the end or at a comment. `quotes`: blanks between quotes belong to a word.
 */
char *textfile_word(char **line, bool quotes);

/* The characters that end a word. */
extern const char textfile_blanks[];
