/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and writes that do not disturb the application. */
#pragma once

#include <stddef.h>

/*
 * Writes all, but gives up after a second in which the reader takes nothing; a pipe still has whole lines, if they have
 * PIPE_BUF bytes at most. After it has given up on standard error, it never waits there again. Raises no signal. Returns 0
 * or an errno.
 */
int write_quietly(int fd, const char *data, size_t size);

/*
 * Moves a new descriptor above the standard streams' numbers, to which a program may still write. Returns it, or -1 with
 * errno and the descriptor closed.
 */
int above_standard(int fd);

/* Describes the errno of a write. */
const char *write_error(int error);
