/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing that disturbs nobody. */
#ifndef PLEACH_QUIET_H
#define PLEACH_QUIET_H

#include <stddef.h>

/*
 * Writes all `size` bytes, and waits for a slow reader. No signal that a failing write raises reaches the application.
 * Returns 0 or an errno.
 */
int write_quietly(int fd, const char *data, size_t size);

#endif
