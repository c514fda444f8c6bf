/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of rank reports. For a report FILE, the folder FILE.parts has a file for each rank, whose name is the rank's
 * number. A file is replaced in one step. A killed job leaves its folder behind. A later job may use the folder again. It
 * moves files of earlier jobs to FILE.parts.old, and leaves out files of other jobs when it merges.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct rank_file {
    char folder[PATH_MAX]; /* absolute, as programs change their working folder; "": no files of rank reports */
    char name[PATH_MAX + 16];
    double started; /* of the process, in seconds since 1970 */
    bool left;      /* the file has been written */
};

/*
 * Sets the names for a rank of a process that began at `started`; creates nothing. `report`: the report's absolute name. The
 * folder is "" if the report goes to a device or a pipe, or if a name is too long.
 */
void rank_file_open(struct rank_file *p, const char *report, int rank, double started);

/*
 * Writes the file; false, with the reason, if that fails. Makes the folder if it is not there: another job that used it may
 * have removed it.
 */
bool rank_file_write(struct rank_file *p, const char *text, char *why, size_t size);

/* Removes the file if it was written, then the folder if it is empty. */
void rank_file_remove(struct rank_file *p);

/*
 * When all ranks of the job have left MPI_Finalize: has no lower rank written its file, and is that of this rank still
 * there? Of the ranks that see one folder, only the lowest gets true, even if it removes all files before others ask.
 */
bool rank_file_lowest(const struct rank_file *p, int rank, int ranks);

/*
 * Once all ranks 0 to ranks-1 of the job have come to MPI_Finalize: removes this rank's file and, unless they do so
 * themselves, files of these ranks that were written there; moves those of an earlier job; then removes the folder if it is
 * empty. Another job may use the folder at the same time: files of other numbers of ranks, and files of a running job, stay.
 */
void rank_file_remove_all(struct rank_file *p, int ranks, bool themselves);
