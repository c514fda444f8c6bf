/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a job in a format. */
#include "html.h"
#include "writers.h"

#include <string.h>
#include <strings.h>

enum job_format job_format_of(const char *file)
{
    static const char *const endings[JOB_FORMATS] = {
        [JOB_TEXT] = ".txt", [JOB_TSV] = ".tsv", [JOB_CSV] = ".csv", [JOB_JSON] = ".json", [JOB_HTML] = ".html"};
    const char *end = strrchr(file, '.');
    for (int i = 0; end && i < JOB_FORMATS; i++)
        if (endings[i] && strcasecmp(end, endings[i]) == 0)
            return (enum job_format)i;
    return JOB_TEXT;
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
