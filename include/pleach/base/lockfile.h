/* SPDX-License-Identifier: BSD-2-Clause */
/* A lock on a file that several jobs replace, as newfile_write() does. */
#pragma once

#include <stddef.h>

/*
 * Creates the file, if it is missing, and locks it; waits for up to a second for other processes. Returns a descriptor for
 * lockfile_close(), or -1 with the reason in `why`. Where the file system has no locks, the file stays unlocked.
 */
int lockfile_open(const char *name, char *why, size_t size);

void lockfile_close(int held);
