/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds lines of source by libdw. Debug information is in the file of code, in a file beside it, or in /usr/lib/debug. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum codefile_end {
    CODEFILE_FOUND, /* one line at least */
    CODEFILE_GONE,
    CODEFILE_REBUILT,
    CODEFILE_NO_ID,
    CODEFILE_STRIPPED, /* nothing is known of these addresses */
    CODEFILE_NO_LIBDW, /* this pleach was built without libdw */
    CODEFILE_ENDS
};

/* A line of source. The caller frees the texts. */
struct code_line {
    uint64_t address; /* in the file */
    bool mangled;     /* its function has a mangled name */
    char *function;   /* the name in the source, "space::solve"; NULL: unknown, or not mangled */
    char *place;      /* "solve.c:12", without folders; NULL: unknown */
};

/*
 * Finds `count` lines. The caller has set their `address` and `mangled`, and the rest to NULL. `id` is the build ID that the
 * file must have, or "-" if the file had none when it ran; then no line is found. Nothing is fetched over the network.
 */
enum codefile_end codefile_find(const char *path, const char *id, struct code_line *line, int count);
