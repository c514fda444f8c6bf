/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rank reports as files: a folder FILE.parts for a report FILE, with a file for each rank that is named by its number. A
 * file is replaced in one step. Jobs that are killed leave their folder, and a later one may use it again: it leaves out
 * files of another job.
 */
#ifndef PLEACH_RANK_FILE_H
#define PLEACH_RANK_FILE_H

#include "job.h"

#include <limits.h>

struct rank_file {
    char folder[PATH_MAX]; /* absolute: programs change theirs; "": rank reports are not left */
    char name[PATH_MAX + 16];
    bool left; /* has it been written? */
};

/*
 * Finds the names for a rank's report; creates nothing. There are none if the report goes to something that exists and is no
 * file. False, with errno: too long.
 */
bool rank_file_open(struct rank_file *p, const char *pattern, int rank);

/* Writes it. False, with the reason. */
bool rank_file_write(struct rank_file *p, const char *text, char *why, size_t size);

/* Takes it away if it was written, and the folder if it is empty then. */
void rank_file_remove(struct rank_file *p);

/*
 * Adds the rank reports in the folder of ranks that have not told. A file written before `started`, the second since 1970
 * in which a process of this job began, is of another job. `rank`: of this rank alone; -1: of all. Returns how many were
 * added.
 */
int rank_file_add(const struct rank_file *p, struct merge *j, double started, int rank);

/* Takes away what is there of ranks 0 to ranks-1, and the folder if it is empty then. */
void rank_file_remove_all(const struct rank_file *p, int ranks);

#endif
