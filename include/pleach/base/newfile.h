/* SPDX-License-Identifier: BSD-2-Clause */
/* A file that is written whole or not at all: under another name, then renamed. */
#ifndef PLEACH_NEWFILE_H
#define PLEACH_NEWFILE_H

#include <stdbool.h>
#include <stddef.h>

/* The full path of a file, as programs change their folder. False: it is longer than path[size]. */
bool newfile_path(const char *name, char *path, size_t size);

/* Could the file be written? Leaves nothing behind. Else false, with the reason. */
bool newfile_possible(const char *name, char *why, size_t size);

/*
 * Writes the file; false, with the reason, if that fails, and whatever was there before is there still. A symbolic link
 * stays one, and an existing file keeps its mode. No signal that a failing write raises reaches the application.
 */
bool newfile_write(const char *name, const char *text, char *why, size_t size);

#endif
