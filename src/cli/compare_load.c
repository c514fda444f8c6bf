/* SPDX-License-Identifier: BSD-2-Clause */
/* What `pleach compare` loads of reports: parts, or a report as TSV. */
#include "cli.h"
#include "compare_runs.h"
#include "found.h"
#include "lines.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...)
{
    char *text;
    va_list ap;
    va_start(ap, format);
    if (vasprintf(&text, format, ap) < 0)
        cli_fail(STATUS_FAILED, "out of memory");
    va_end(ap);
    return text;
}

/* ---- Parts ---------------------------------------------------------------------------------------------------------- */

static const struct {
    enum dimension dimension;
    const char *by; /* in a report as TSV */
} aspects[ASPECTS] = {[ASPECT_COLLECTIVE] = {BY_COLLECTIVE, "collective"},
                      [ASPECT_SIZE] = {BY_SIZE, "size"},
                      [ASPECT_SITE] = {BY_SITE, "site"}};

/* The name of an item: "allreduce", "allreduce up to 64K", or that of its call site. */
static char *name_of(enum aspect aspect, const char *collective, int64_t size, const char *site)
{
    char text[UNITS_TEXT];
    size_print(size, text, sizeof text);
    return aspect == ASPECT_SITE   ? text_of("%s", site)
           : aspect == ASPECT_SIZE ? text_of("%s up to %s", collective, text)
                                   : text_of("%s", collective);
}

/* time: of all calls, the least and the most of one. */
static void add_item(struct run *r, enum aspect aspect, char *name, int64_t calls, const double time[3])
{
    struct item i = {aspect, name, calls, time[0], time[1], time[2], time[0] / (double)calls, NULL};
    if (calls > 0 && *name && strcmp(name, "-") != 0 && strcmp(name, JOB_OTHERS) != 0)
        run_add(r, &i);
    free(name);
}

void compare_load_parts(struct run *r, char *const *operand)
{
    const struct job *j = found_job(operand);
    r->ranks = j->reported;
    r->command = text_of("%s", j->command);
    for (int i = 0; i < j->frames; i++)
        lines_tell(j->frame[i]);
    for (int a = 0; a < ASPECTS; a++)
        for (int i = 0; i < j->groups[aspects[a].dimension]; i++) {
            const struct job_group *g = &j->group[aspects[a].dimension][i];
            int64_t size = g->size < 0 ? 0 : INT64_C(1) << g->size;
            add_item(r, (enum aspect)a, name_of((enum aspect)a, collective_name(g->collective), size, g->site),
                     g->tally.calls, (const double[]){g->tally.seconds, g->tally.least, g->tally.most});
        }
}

/* ---- A report as TSV ------------------------------------------------------------------------------------------------ */

enum { BY, COLLECTIVE, SIZE, SITE, CALLS, SECONDS, LEAST, MOST, WANTED, FIELDS = 64 };

static const char *const wanted[WANTED] = {"by", "collective", "size", "site", "calls", "seconds", "min_s", "max_s"};

/* Cuts a line at its tabs; returns the number of fields. */
static int cut_fields(char *line, char *field[FIELDS])
{
    int fields = 0;
    for (char *rest = line; fields < FIELDS && rest;)
        field[fields++] = strsep(&rest, "\t");
    return fields;
}

static void read_remark(struct run *r, const char *line)
{
    int version;
    if (strncmp(line, "# command ", 10) == 0)
        r->command = text_of("%s", line + 10);
    if (strncmp(line, "# frame ", 8) == 0)
        lines_tell(line + 8);
    if (sscanf(line, "# told %9d", &r->ranks) == 1 && r->ranks < 1)
        r->ranks = 1;
    if (sscanf(line, "# pleach-report %9d", &version) == 1 && version > 1)
        cli_fail(STATUS_FAILED, "%s is a report of format %d, which this command does not know", r->operand, version);
}

static void read_row(struct run *r, const int where[WANTED], char *const field[FIELDS])
{
    locale_t before = uselocale(c_locale());
    double time[3];
    bool good = true;
    for (int i = 0; i < 3; i++) {
        time[i] = strtod(field[where[SECONDS + i]], NULL);
        good &= isfinite(time[i]) && time[i] >= 0;
    }
    uselocale(before);
    for (int a = 0; good && a < ASPECTS; a++)
        if (strcmp(field[where[BY]], aspects[a].by) == 0)
            add_item(
                r, (enum aspect)a,
                name_of((enum aspect)a, field[where[COLLECTIVE]], strtoll(field[where[SIZE]], NULL, 10), field[where[SITE]]),
                strtoll(field[where[CALLS]], NULL, 10), time);
}

void compare_load_tsv(struct run *r, char *text)
{
    int where[WANTED], columns = 0;
    for (char *c = text; *c; c++) /* what is shown on a terminal must not steer it */
        if (iscntrl((unsigned char)*c) && *c != '\t' && *c != '\n')
            *c = '?';
    for (char *line; (line = strsep(&text, "\n"));) {
        char *field[FIELDS];
        if (*line == '#')
            read_remark(r, line);
        if (*line == '#' || !*line)
            continue;
        int fields = cut_fields(line, field);
        for (int w = 0; !columns && w < WANTED; w++) {
            for (where[w] = 0; where[w] < fields && strcmp(field[where[w]], wanted[w]) != 0;)
                where[w]++;
            if (where[w] == fields)
                cli_fail(STATUS_FAILED, "%s is no report of Pleach: its first line lacks the column '%s'", r->operand,
                         wanted[w]);
        }
        if (columns && fields != columns)
            cli_fail(STATUS_FAILED, "%s: a line has %d columns, not %d", r->operand, fields, columns);
        if (columns)
            read_row(r, where, field);
        columns = fields;
    }
}

/* ---- Whatever it is ------------------------------------------------------------------------------------------------- */

void compare_load(struct run *r, char *operand)
{
    char **files = found_files(operand);
    size_t length;
    *r = (struct run){.operand = operand, .ranks = 1, .command = NULL};
    if (!*files)
        cli_fail(STATUS_FAILED, "there is neither a log nor a part of a report in %s", operand);
    char *text = found_text(*files, &length);
    switch (found_kind(text)) {
    case FILE_LOG:
        r->log = true;
        compare_load_log(r, files);
        break;
    case FILE_PART:
        compare_load_parts(r, (char *const[]){operand, NULL});
        break;
    case FILE_TSV_REPORT:
        compare_load_tsv(r, text);
        break;
    default:
        cli_fail(STATUS_FAILED, "%s is neither a log nor a report of Pleach as TSV, nor a part of one", *files);
    }
    free(text);
    if (!r->items)
        cli_fail(STATUS_FAILED, "%s has no calls to compare", operand);
    if (!r->command)
        r->command = text_of("%s", "");
}
