/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a file whole or not at all, by a temporary file; a device, such as /dev/null, directly. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Sets the full path. Returns false, with errno, if there is no room or no working directory. */
bool newfile_path(const char *name, char *path, size_t size);

/* Do both name one file, which may be missing? */
bool newfile_same(const char *a, const char *b);

/* Can the file be written? Leaves no file behind. */
bool newfile_possible(const char *name, char *why, size_t size);

/*
 * Returns false, with the reason, if the old file stays. A link stays a link, and a file keeps its mode. Raises no signal.
 */
bool newfile_write(const char *name, const char *text, char *why, size_t size);
