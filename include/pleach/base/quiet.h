/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and writes files without disturbing the application. */
#pragma once

#include <stddef.h>

/*
 * Writes all `size` bytes. Waits for a slow reader, but gives up after a second in which the reader takes nothing. Even
 * then, the reader of a pipe has only whole lines, if no line has more than PIPE_BUF bytes. After the function has given up
 * on standard error once, it no longer waits for readers of standard error. The application gets no signal if a write fails.
 * Returns 0 or an errno.
 */
int write_quietly(int fd, const char *data, size_t size);

/*
 * Moves a new descriptor above the numbers of the standard streams: an application that has closed a standard stream may
 * still write to the stream's number. Passes -1 on. Returns the descriptor, or -1 with errno and the descriptor closed.
 */
int above_standard(int fd);

/* Describes the errno of a write in words. */
const char *write_error(int error);
