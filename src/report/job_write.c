/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a job in a format; has the functions that the writers share. */
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

/* Does one of the sites that the text shows have this frame? The third word of `frame` is its name. */
static bool frame_shown(const struct job *j, const char *frame)
{
    const char *id = strchr(frame, ' '), *name = id ? strchr(id + 1, ' ') : NULL;
    const size_t length = name ? strcspn(++name, " ") : 0;
    for (int i = 0; i < j->groups[BY_SITE] && i < TOP_SITES && name; i++)
        for (const char *at = j->group[BY_SITE][i].site; at; at = strchr(at, ' '), at += at != NULL)
            if (strcspn(at, " ") == length && strncmp(at, name, length) == 0)
                return true;
    return false;
}

bool job_write_frames(const struct job *j, enum job_format format, FILE *f)
{
    bool any = false;
    for (int i = 0; i < j->frames; i++)
        if (format == JOB_HTML) {
            if (!strstr(j->frame[i], "--")) /* a comment in HTML must not contain "--" */
                fprintf(f, "<!--\n# frame %s\n-->\n", j->frame[i]);
        } else if (format == JOB_TSV || frame_shown(j, j->frame[i])) {
            if (!any && format == JOB_TEXT)
                fputs("\n# 'pleach report' of this file shows lines of source, by the frames below:\n", f);
            fprintf(f, "# frame %s\n", j->frame[i]);
            any = true;
        }
    return !ferror(f);
}

double job_run(const struct job *j)
{
    double sum = 0;
    for (int i = 0; i < j->reported; i++)
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
