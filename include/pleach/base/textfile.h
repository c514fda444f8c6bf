/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads files of text: settings, rules, places, which users have written, and parts of reports. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TEXTFILE_MOST = 1 << 20 }; /* bytes; the limit bounds the time for reading any file */

/*
 * Reads a file. Returns its text of at most TEXTFILE_MOST characters, which the caller frees with free(). On failure returns
 * NULL, and `why` has the reason ("No such file or directory"). Refuses all but regular files, because reading a pipe could
 * block and a device may have no end. The exception is /dev/null, which counts as an empty file. Skips a byte order mark of
 * UTF-8 at the start.
 */
char *textfile_read(const char *name, char *why, size_t size);

/* Reads a file that Pleach has written: likewise, but the text may have up to INT_MAX - 1 characters. */
char *textfile_read_own(const char *name, char *why, size_t size);

/*
 * Cuts the first word off a line. Returns NULL if the line has ended, or if a comment begins. If `quotes`, blanks between
 * quotes belong to the word.
 */
char *textfile_word(char **line, bool quotes);

/* The characters that end a word. */
extern const char textfile_blanks[];
