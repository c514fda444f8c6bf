/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The renderer merges rank reports and writes the report: `pleach report` as libpleach-report.so, which a process loads for
 * a report. Only texts and files go through this interface.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct merge;

struct renderer {
    const char *version; /* of Pleach; renderer_open() refuses another one */

    /* NULL: out of memory. */
    struct merge *(*begin)(void);

    /* Adds a rank report. Returns false if it is none, if its rank is there already, or without memory. */
    bool (*add)(struct merge *m, const char *text, size_t length);

    /*
     * Adds rank reports of a folder: those that the merge lacks, or that of `rank` unless it is -1. Leaves out files from
     * before `started` (seconds since 1970), and of jobs with another number of ranks. Returns how many it added.
     */
    int (*add_folder)(struct merge *m, const char *folder, double started, int rank);

    /*
     * Ends the merge of one or more rank reports and writes the report, once for each call. The suffix of `file` is the
     * format, unless `advice` (PLEACH_ADVICE, in a dry run) names one. `own`: one rank's report, which misses no other.
     * Returns false if f has an error or memory runs out. *ended: all ranks have come to their end.
     */
    bool (*write)(struct merge *m, const char *file, bool own, int advice, FILE *f, bool *ended);

    /* Writes what `file` has until there is a report; names the folder of rank reports. */
    void (*write_stub)(const char *file, const char *folder, FILE *f);

    /* m may be NULL. */
    void (*free)(struct merge *m);
};

/* The library's only symbol. */
extern __attribute__((visibility("default"))) const struct renderer pleach_renderer;

/* Loads the renderer once. Returns NULL, with the reason in `why`, if that fails. */
const struct renderer *renderer_open(char *why, size_t size);
