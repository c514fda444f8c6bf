/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a job in a format. */
#include "html.h"
#include "units.h"
#include "writers.h"

#include <string.h>

enum job_format job_format_of(const char *file)
{
    const char *end = strrchr(file, '.');
    int format = JOB_TEXT;
    if (end)
        choice_parse(end, ".txt|.tsv|.csv|.json|.html", &format);
    return (enum job_format)format;
}

bool job_write(const struct job *j, enum job_format format, int columns, FILE *f)
{
    switch (format) {
    case JOB_TSV:
    case JOB_CSV:
        return job_data(j, format == JOB_TSV ? TABLE_TSV : TABLE_CSV, f);
    case JOB_JSON:
        return job_json(j, f);
    case JOB_HTML:
        return job_html(j, f);
    case JOB_TRACE:
        return job_trace(j, f);
    default:
        return job_text(j, columns, f);
    }
}
