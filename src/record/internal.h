/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of this room share: output files named by a pattern, and how records come to the report.
 */
#ifndef PLEACH_RECORD_INTERNAL_H
#define PLEACH_RECORD_INTERNAL_H

#include "record.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* An open output file. */
struct output {
    int fd;
    struct stat file; /* of fd, unless that is standard error */
    char path[PATH_MAX];
};

/*
 * Opens the file that `pattern` names (see record_open) and stores its name in o->path; "stderr" gives file descriptor 2.
 * Never overwrites: a taken name gets the first free suffix .1, .2, ... Returns 0 or an errno.
 */
int output_open(struct output *o, const char *pattern, int rank);

/*
 * Writes everything, or nothing where the application has taken the descriptor for a file of its own; no signal that a
 * failing write raises reaches the application. Returns 0 or an errno.
 */
int output_write(const struct output *o, const char *data, size_t size);

/* Closes the file, if it was opened. Leaves alone standard error, and a descriptor that is no more ours. */
void output_close(struct output *o);

/* One line on standard error: "pleach: " and the formatted message. */
void output_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The report's part in record_on(), record_add() and record_note(). */
bool report_on(void);
void report_add(const struct record *r);
void report_note(const char *note);

#endif
