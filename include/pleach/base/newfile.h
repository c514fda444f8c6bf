/* SPDX-License-Identifier: BSD-2-Clause */
/* A file that is written whole or not at all: under another name, then renamed. */
#ifndef PLEACH_NEWFILE_H
#define PLEACH_NEWFILE_H

#include <stdbool.h>
#include <stddef.h>

/* The full path of a file, for programs that change their folder. False: it is longer than path[size]. */
bool newfile_path(const char *name, char *path, size_t size);

/* Can the file be written? False, with the reason, if not. Leaves nothing behind. */
bool newfile_possible(const char *name, char *why, size_t size);

/*
 * Writes the file. If that fails, it returns false, with the reason, and the old file stays. A symbolic link stays one, and
 * an existing file keeps its mode. The application gets no signal of a failing write.
 */
bool newfile_write(const char *name, const char *text, char *why, size_t size);

#endif
