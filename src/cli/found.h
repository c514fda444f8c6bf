/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and folders that are named on the command line, and the job that the rank reports among them make. */
#ifndef PLEACH_FOUND_H
#define PLEACH_FOUND_H

#include "job.h"

/* What a file is, as its first line tells. */
enum file_kind { FILE_PART, FILE_LOG, FILE_TSV_REPORT, FILE_REPORT, FILE_OTHER };

/* The text of a file, with a NUL behind it, to be freed; ends the command if it cannot be read or is no regular file. */
char *found_text(const char *name, size_t *length);

/* The names of the files that an operand stands for, as found_job() takes it; NULL ends them. Never freed. */
char **found_files(const char *operand);

enum file_kind found_kind(const char *text); /* its first 15 bytes will do */

/*
 * The job of these operands, which NULL ends: rank reports, folders, which stand for the rank reports in them, and the name
 * of a report whose rank reports are there still, as its job was killed, which stands for their folder. Where they are of
 * several jobs, it is the newest, and a line says what was left out. Ends the command where there is no job. Never freed.
 */
const struct job *found_job(char *const *operand);

#endif
