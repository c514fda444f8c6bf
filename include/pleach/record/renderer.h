/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The renderer merges rank reports and writes the report. It is the code of `pleach report`, in the library
 * libpleach-report.so. A process loads this library when it opens a report. So the library that every process loads need not
 * contain the code, and a running MPI program need not start another process.
 *
 * Only texts and files go through this interface: the two libraries share no other structure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct merge; /* rank reports that are being merged */

struct renderer {
    const char *version; /* of Pleach; renderer_open() refuses a renderer of another version */

    /* Begins a merge, without rank reports. NULL: out of memory. */
    struct merge *(*begin)(void);

    /*
     * Adds a rank report, a text of `length` bytes. Returns false if the text is no rank report, if the merge has one of
     * this rank already, or if memory runs out.
     */
    bool (*add)(struct merge *m, const char *text, size_t length);

    /*
     * Adds rank reports from a folder: those of all ranks that the merge lacks or, if `rank` is not -1, that of `rank`
     * alone. Leaves out files from before `started`, in seconds since 1970, and files of a job with another number of ranks
     * than that of the first rank report in the merge: other jobs wrote them. Returns the number of rank reports that it
     * added.
     */
    int (*add_folder)(struct merge *m, const char *folder, double started, int rank);

    /*
     * Ends the merge of one or more rank reports, and writes the report; further calls write the same report again. The
     * suffix of the name `file` sets the format. With `own`, the report is one rank's own, and does not miss the other
     * ranks. With `advice`, writes what `pleach advise` prints instead of a text. Returns false if f has an error, or if
     * memory runs out. Sets *ended if all ranks have come to their end: then no further rank report follows.
     */
    bool (*write)(struct merge *m, const char *file, bool own, bool advice, FILE *f, bool *ended);

    /* Writes the text that the file `file` has until there is a report. This text names the folder of rank reports. */
    void (*write_stub)(const char *file, const char *folder, FILE *f);

    /* Frees a merge, or NULL. */
    void (*free)(struct merge *m);
};

/* The only symbol that libpleach-report.so exports. */
extern __attribute__((visibility("default"))) const struct renderer pleach_renderer;

/* Loads the renderer once, and returns it. NULL, with the reason in why[size], if that fails. */
const struct renderer *renderer_open(char *why, size_t size);
