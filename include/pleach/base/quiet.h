/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing that disturbs nobody. */
#ifndef PLEACH_QUIET_H
#define PLEACH_QUIET_H

#include <stddef.h>

/*
 * Writes all `size` bytes. Waits for a slow reader, but not for one that has stopped: it gives up when nothing was taken for
 * a second. Then a pipe has whole lines, if none has more than PIPE_BUF bytes. Standard error that was given up once is not
 * waited for again. No signal that a failing write raises reaches the application. Returns 0 or an errno.
 */
int write_quietly(int fd, const char *data, size_t size);

/* What went wrong, for people. */
const char *write_error(int error);

#endif
