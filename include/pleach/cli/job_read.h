/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a finished report: JSON, or a page that has it (job_fields.h). */
#pragma once

#include "job.h"

/*
 * Returns the job, which is never freed. NULL, with the reason in why[size], if the text is no report of a version that this
 * command knows, if it is damaged, or if Pleach was built without json-c. The text is not trusted.
 */
const struct job *job_read(const char *text, char *why, size_t size);
