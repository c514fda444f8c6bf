/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks a file that several jobs replace by newfile_write(). */
#pragma once

#include <stddef.h>

/*
 * Creates the file if it is missing, and locks it within a second, if the file system has locks. Returns a descriptor for
 * lockfile_close(), or -1 with the reason.
 */
int lockfile_open(const char *name, char *why, size_t size);

void lockfile_close(int held);
