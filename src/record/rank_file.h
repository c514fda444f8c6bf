/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rank reports as files: a folder FILE.parts for a report FILE, with a file for each rank that is named by its number. A
 * file is replaced in one step. Jobs that are killed leave their folder, and a later one may use it again: it leaves out
 * files of another job.
 */
#ifndef PLEACH_RANK_FILE_H
#define PLEACH_RANK_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

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

/* Takes away what is there of ranks 0 to ranks-1, and the folder if it is empty then. */
void rank_file_remove_all(const struct rank_file *p, int ranks);

#endif
