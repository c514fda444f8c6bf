/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of this room share: output files named by a pattern, and call sites as text.
 */
#ifndef PLEACH_RECORD_INTERNAL_H
#define PLEACH_RECORD_INTERNAL_H

#include <pleach/record.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * Opens the file that `pattern` names (see record_open) and stores its name in path; "stderr" gives file descriptor 2.
 * Never overwrites: a taken name gets the first free suffix .1, .2, ... Returns the descriptor, or -1 and errno.
 */
int output_open(const char *pattern, int rank, char *path, int size);

/* Writes everything; no signal that a failing write raises reaches the application. Returns 0 or an errno. */
int output_write(int fd, const char *data, size_t size);

/* One line on standard error: "pleach: " and the formatted message. */
void output_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
