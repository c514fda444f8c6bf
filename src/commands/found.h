/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files that a command's operands name, and reads the rank reports among them as one job. */
#pragma once

#include "job.h"

#include <limits.h>

/* The kind of a file, which its first line shows. A text report cannot be read again. */
enum file_type { FILE_PART, FILE_LOG, FILE_TEXT_REPORT, FILE_REPORT, FILE_OTHER };

/* Returns the text of a regular file, which the caller frees. Ends the command if it cannot read the file. */
char *found_text(const char *name);

/* The kind of a file with this text, of which the first 23 bytes are enough; of a file, FILE_OTHER if it cannot be read. */
enum file_type found_type(const char *text);
enum file_type found_kind_of(const char *name);

/*
 * Does the name stand for the folder NAME.parts? It does if this folder exists, as after a killed job, and the file NAME is
 * missing, is empty, or is a report that is unfinished or older than a file in the folder. Writes the folder's name.
 */
bool found_parts(const char *name, char folder[PATH_MAX]);

/*
 * The job of rank reports, of logs or of a finished report; it is never freed. An operand is one of the following; NULL ends
 * the list:
 *
 *     the file of a rank report, or a log
 *     a finished report as JSON or HTML; it stands alone
 *     a folder  it stands for the rank reports or the logs in it
 *     NAME      it stands for the folder NAME.parts if found_parts() says so
 *
 * If the rank reports belong to several jobs, the newest job counts, and a line says that others were left out. Ends the
 * command if a file that an operand names is none of these, or if there is none at all.
 */
const struct job *found_job(char *const *operand);
