/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing that disturbs nobody. */
#ifndef PLEACH_QUIET_H
#define PLEACH_QUIET_H

#include <stddef.h>

/*
 * Writes all `size` bytes. Waits for a slow reader, but gives up when a reader has taken nothing for a second. The pipe then
 * has whole lines, if none has more than PIPE_BUF bytes. After it has given up on standard error once, it does not wait for
 * that again. The application gets no signal of a failing write. Returns 0 or an errno.
 */
int write_quietly(int fd, const char *data, size_t size);

/* The errno of a write in words, for people. */
const char *write_error(int error);

#endif
