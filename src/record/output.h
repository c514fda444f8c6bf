/* SPDX-License-Identifier: BSD-2-Clause */
/* Output files: a pattern names them, they never overwrite another file, and no error in them harms the application. */
#pragma once

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* An output file. The log and the report set `on` when they begin to take calls, and clear `on` when they take no more. */
struct output {
    atomic_bool on;
    pid_t owner; /* the process that opened the file */
    int rank;    /* of this process in MPI_COMM_WORLD */
    int fd;
    bool numbered;    /* the name was taken, so `path` has a number */
    struct stat file; /* of fd, unless that is standard error */
    char path[PATH_MAX];
};

/* Expands a pattern (see record_open); an unknown % sequence stays as it is. False if the name does not fit into `size`. */
bool output_name(const char *pattern, int rank, char *path, int size);

/*
 * Opens the device or pipe that `pattern` names (see record_open), or else makes a file of this name, and stores the name in
 * o->path; "stderr" gives file descriptor 2. Never overwrites a file: if the name is taken, the new file gets the first free
 * one of NAME.1, NAME.2, ... The number comes before an ending .html, .json, .tsv or .csv. On rank r > 0 the
 * numbers begin with r, unless
 * the pattern has %r or %p. Returns 0 or an errno.
 */
int output_open(struct output *o, const char *pattern, int rank);

/* Does the same for the name o->path, with numbers from `first` on. */
int output_make(struct output *o, int first);

/*
 * Both return `on`. A child of fork() must not write to its parent's files, so output_mine() first clears `on` in a child.
 */
static inline bool output_on(const struct output *o)
{
    return atomic_load_explicit(&o->on, memory_order_relaxed);
}
bool output_mine(struct output *o);

/*
 * Writes as write_quietly() does. Writes nothing if the application now uses the file descriptor for a file of its own.
 * Returns 0 or an errno.
 */
int output_write(const struct output *o, const char *data, size_t size);

/* Closes the file. Does not close standard error, or a file descriptor that the application now uses. */
void output_close(struct output *o);
