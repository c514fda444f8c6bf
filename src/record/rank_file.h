/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of rank reports: for a report FILE, FILE.parts/RANK, replaced in one step. A killed job leaves them. A later job
 * moves them to FILE.parts.old, and does not merge files of other jobs.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct rank_file {
    char folder[PATH_MAX]; /* absolute; "": no files */
    char name[PATH_MAX + 16];
    double started; /* of the process, in seconds since 1970 */
    bool left;
};

/* Sets the names alone. `report`: an absolute name. No folder for a device or pipe, or if a name is too long. */
void rank_file_open(struct rank_file *p, const char *report, int rank, double started);

/* Returns false, with the reason. Makes the folder, which another job may have removed. */
bool rank_file_write(struct rank_file *p, const char *text, char *why, size_t size);

/* Removes the file if it was written, and the folder if it is empty. */
void rank_file_remove(struct rank_file *p);

/*
 * After all ranks have left MPI_Finalize: is this rank's file there, and has no lower rank one? True on one rank alone of
 * those that see the folder, even if it removes all files before others ask.
 */
bool rank_file_lowest(const struct rank_file *p, int rank, int ranks);

/*
 * Once ranks 0 to ranks-1 have come to MPI_Finalize: removes this rank's file and, unless they do so `themselves`, those of
 * these ranks; moves those of an earlier job; then removes an empty folder. Files of other numbers of ranks or of a running
 * job stay.
 */
void rank_file_remove_all(struct rank_file *p, int ranks, bool themselves);
