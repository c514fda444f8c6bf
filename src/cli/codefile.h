/* SPDX-License-Identifier: BSD-2-Clause */
/* A file of code and its debug information, which lies in it or in a file of its own (/usr/lib/debug), read by libdw. */
#ifndef PLEACH_CODEFILE_H
#define PLEACH_CODEFILE_H

#include <stdbool.h>
#include <stdint.h>

enum codefile_end {
    CODEFILE_FOUND, /* one line at least */
    CODEFILE_GONE,
    CODEFILE_REBUILT,
    CODEFILE_NO_ID,
    CODEFILE_STRIPPED, /* nothing is known of these addresses */
    CODEFILE_NO_LIBDW, /* this pleach was built without it */
    CODEFILE_ENDS
};

/* A line of source. The caller frees the texts. */
struct code_line {
    uint64_t address; /* in the file */
    bool mangled;     /* its function has a mangled name */
    char *function;   /* of a mangled name, what the source calls it: "space::solve"; NULL: unknown */
    char *place;      /* "solve.c:12", without folders; NULL: unknown */
};

/*
 * Finds `count` lines, of which addresses and `mangled` are set, and the rest is NULL. The file must have this build-id; "-"
 * is none. Nothing is fetched over the network.
 */
enum codefile_end codefile_find(const char *path, const char *id, struct code_line *line, int count);

#endif
