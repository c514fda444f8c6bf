/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress line: on a terminal alone, by rank 0 alone. */
#ifndef PLEACH_PROGRESS_H
#define PLEACH_PROGRESS_H

/* Shows what is being done, `done` of 1 of it. */
void progress(double done, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Clears the line. */
void progress_end(void);

#endif
