/* SPDX-License-Identifier: BSD-2-Clause */
/* Output files: named by a pattern, opened without overwriting, written without harming the application. */
#ifndef PLEACH_OUTPUT_H
#define PLEACH_OUTPUT_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* An output file. The log and the report turn it on when they have opened it, and off when they write no more. */
struct output {
    atomic_bool on;
    pid_t owner; /* the process that has opened it */
    int rank;    /* of this process in MPI_COMM_WORLD */
    int fd;
    struct stat file; /* of fd, unless that is standard error */
    char path[PATH_MAX];
};

/* Expands the pattern; a % that begins nothing known stands for itself. False if it does not fit. */
bool output_name(const char *pattern, int rank, char *path, int size);

/*
 * Opens the file that `pattern` names (see record_open) and stores its name in o->path; "stderr" gives file descriptor 2.
 * Never overwrites: a taken name gets the first free suffix .1, .2, ... Returns 0 or an errno.
 */
int output_open(struct output *o, const char *pattern, int rank);

/* Is it on? And: is it on in this process? The latter turns it off in a child of fork(), which has no business with it. */
bool output_on(const struct output *o);
bool output_mine(struct output *o);

/*
 * Writes as write_quietly() does, or nothing if the application has taken the descriptor for a file of its own. Returns 0
 * or an errno.
 */
int output_write(const struct output *o, const char *data, size_t size);

/* Closes the file, if it was opened. Leaves alone standard error, and a descriptor that is no more ours. */
void output_close(struct output *o);

#endif
