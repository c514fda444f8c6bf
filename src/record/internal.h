/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of this room share: output files named by a pattern, and call sites as text.
 */
#ifndef PLEACH_RECORD_INTERNAL_H
#define PLEACH_RECORD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* SITE_NAME: longest text of one frame. SITE_TEXT: longest text of a call site, its frames joined by ' < '. */
enum { SITE_NAME = 256, SITE_TEXT = 32 * (SITE_NAME + 3) };

/*
 * Opens the file that `pattern` names (see record_open) and stores its name in path; "stderr" gives file descriptor 2.
 * Never overwrites: a taken name gets the first free suffix .1, .2, ... Returns the descriptor, or -1 and errno.
 */
int output_open(const char *pattern, int rank, char *path, int size);

/* Writes everything; no signal that a failing write raises reaches the application. Returns 0 or an errno. */
int output_write(int fd, const char *data, size_t size);

/* One line on standard error: "pleach: " and the formatted message. */
void output_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Makes record_site() keep `stack` frames, 0 for none. Loads the unwinder. */
void site_open(int stack);

/*
 * Writes the column `site` for frames as record_site() stored them, '-' for none, and returns its length; `size` is
 * SITE_TEXT or more. Caches names: for one thread at a time.
 */
int site_text(void *const frame[], char *text, int size);

#endif
