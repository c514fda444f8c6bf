/* SPDX-License-Identifier: BSD-2-Clause */
/* Output files: a pattern names them, they overwrite no file, and no error harms the application. */
#pragma once

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

struct output {
    atomic_bool on;
    pid_t owner;
    int rank;
    int fd;
    bool numbered;    /* `path` has a number */
    struct stat file; /* of fd, but not of standard error */
    char path[PATH_MAX];
};

/* Expands a pattern (record_open()); an unknown % stays. Returns false if it does not fit. */
bool output_name(const char *pattern, int rank, char *path, int size);

/*
 * Opens the device or pipe of that name, or makes a file, and sets o->path; "stderr" is descriptor 2. If the name is taken:
 * NAME.1, NAME.2, .. before an ending .html, .json, .tsv or .csv; on rank r > 0 without %r and %p from r on. Returns 0 or an
 * errno.
 */
int output_open(struct output *o, const char *pattern, int rank);

/* The same for the name o->path, with numbers from `first` on. */
int output_make(struct output *o, int first);

/* Does it take calls? output_mine() first clears `on` in a child of fork(), which must not write. */
static inline bool output_on(const struct output *o)
{
    return atomic_load_explicit(&o->on, memory_order_relaxed);
}
bool output_mine(struct output *o);

/* Writes as write_quietly(), but nothing if the descriptor is now the application's. Returns 0 or an errno. */
int output_write(const struct output *o, const char *data, size_t size);

/* Closes the file, but neither standard error nor a descriptor that is now the application's. */
void output_close(struct output *o);
