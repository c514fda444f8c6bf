/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes without disturbing the application. */
#ifndef PLEACH_QUIET_H
#define PLEACH_QUIET_H

#include <stddef.h>

/*
 * Writes all `size` bytes. Waits for a slow reader, but gives up after a second in which the reader takes nothing. Even
 * then, the reader of a pipe has only whole lines, if no line has more than PIPE_BUF bytes. After the function has given up
 * on standard error once, it no longer waits for readers of standard error. The application gets no signal if a write fails.
 * Returns 0 or an errno.
 */
int write_quietly(int fd, const char *data, size_t size);

/* Describes the errno of a write in words. */
const char *write_error(int error);

#endif
