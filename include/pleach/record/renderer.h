/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The renderer merges rank reports and writes the report. It is the code of `pleach report`, in the library
 * libpleach-report.so. A process that writes a report loads that library when the report opens; no other process does. So
 * the library that every process loads need not contain it, and no process is started in a running MPI program.
 *
 * Only texts and files go through this interface: the two libraries share no other structure.
 */
#ifndef PLEACH_RENDERER_H
#define PLEACH_RENDERER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct merge; /* rank reports that are being merged */

struct renderer {
    const char *version; /* of Pleach; another one than ours is not used */

    /* Begins a merge, without rank reports. NULL: out of memory. */
    struct merge *(*begin)(void);

    /* Adds the text of a rank report, of `length` bytes. False: it cannot be read, its rank is there, or out of memory. */
    bool (*add)(struct merge *m, const char *text, size_t length);

    /*
     * Adds the rank reports in a folder of ranks that the merge lacks. `rank`: of this rank alone; -1: of all. A file that
     * was written before `started`, in seconds since 1970, is of an earlier job. Returns how many were added.
     */
    int (*add_folder)(struct merge *m, const char *folder, double started, int rank);

    /*
     * Ends the merge of one or more rank reports, and writes the report, in the format that the end of the name `file` asks
     * for. `advice`: what `pleach advise` prints instead. `frames`: also what `pleach report` needs to show lines of source.
     * Returns false if f has an error, or without memory. Sets *ended: all ranks are through; nothing more will be left.
     */
    bool (*write)(struct merge *m, const char *file, bool advice, bool frames, FILE *f, bool *ended);

    /* Writes the text that the file has while the job runs: it names the folder of rank reports. */
    void (*write_stub)(const char *file, const char *folder, FILE *f);

    /* Frees a merge, or NULL. */
    void (*free)(struct merge *m);
};

/* What libpleach-report.so shows. */
extern __attribute__((visibility("default"))) const struct renderer pleach_renderer;

/* Loads the renderer, once. NULL, with the reason in why[size]. */
const struct renderer *renderer_open(char *why, size_t size);

#endif
