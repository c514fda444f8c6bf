/* SPDX-License-Identifier: BSD-2-Clause */
/* A job as one page of HTML. */
#ifndef PLEACH_HTML_H
#define PLEACH_HTML_H

#include "job.h"

/* Writes the page. False: an error of f, or out of memory. */
bool job_html(const struct job *j, FILE *f);

#endif
