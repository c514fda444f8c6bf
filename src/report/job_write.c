/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a job in a format. */
#include "html.h"
#include "writers.h"

#include <string.h>
#include <strings.h>

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

bool job_write_table(const struct job *j, enum job_format format, enum dimension d, int top, bool names, int columns,
                     FILE *f)
{
    if (format == JOB_TEXT)
        return job_text_table(j, (int)d, top, columns, f);
    job_tsv_table(j, (int)d, top, names, f);
    return !ferror(f);
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
