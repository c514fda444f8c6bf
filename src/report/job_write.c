/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing a job: the formats, and what their writers share. */
#include "html.h"
#include "writers.h"

#include <string.h>
#include <strings.h>
#include <time.h>

enum job_format job_format_of(const char *file)
{
    const char *end = strrchr(file, '.');
    if (end && strcasecmp(end, ".html") == 0)
        return JOB_HTML;
    return end && strcasecmp(end, ".tsv") == 0 ? JOB_TSV : JOB_TEXT;
}

bool job_write(const struct job *j, enum job_format format, int columns, FILE *f)
{
    switch (format) {
    case JOB_HTML:
        return job_html(j, f);
    case JOB_TSV:
        return job_tsv(j, f);
    default:
        return job_text(j, columns, f);
    }
}

double job_run(const struct job *j)
{
    double sum = 0;
    for (int i = 0; i < j->told; i++)
        sum += j->rank[i].run > j->rank[i].elapsed ? j->rank[i].run : j->rank[i].elapsed;
    return sum;
}

void job_date(double since_1970, char text[DATE_TEXT])
{
    time_t t = (time_t)since_1970;
    struct tm day;
    *text = 0;
    if (gmtime_r(&t, &day))
        snprintf(text, DATE_TEXT, "%d-%02d-%02d %02d:%02d:%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday,
                 day.tm_hour, day.tm_min, day.tm_sec);
}
