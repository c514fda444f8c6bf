/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a file whole or not at all: the text goes to a temporary file, which then takes the name of the file. To a device,
 * such as /dev/null, it writes directly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Sets `path` to the full path of a file, for programs that change their working directory. Returns false, with errno, if
 * the path does not fit into `size` bytes, or if the working directory is not known: it may have been removed.
 */
bool newfile_path(const char *name, char *path, size_t size);

/* Do both names stand for one file, which may be missing? */
bool newfile_same(const char *a, const char *b);

/* Can the file be written? If not, `why` has the reason. Leaves no file behind. */
bool newfile_possible(const char *name, char *why, size_t size);

/*
 * Writes the file. If that fails, returns false with the reason in `why`, and the old file stays as it was. A symbolic link
 * stays a link, and an existing file keeps its mode. The application gets no signal if a write fails.
 */
bool newfile_write(const char *name, const char *text, char *why, size_t size);
