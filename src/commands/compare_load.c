/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads a run for `pleach compare`: logs, parts of a report, or a report as TSV. */
#include "cli.h"
#include "compare_runs.h"
#include "fields.h"
#include "found.h"
#include "lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum dimension dimensions[ASPECTS] = {
    [ASPECT_COLLECTIVE] = BY_COLLECTIVE, [ASPECT_SIZE] = BY_SIZE, [ASPECT_SITE] = BY_SITE};

/*
 * Adds calls of so many ranks under their name. Leaves out calls without a name of their own, such as those of JOB_OTHERS.
 */
static void add_calls(struct run *r, int aspect, const char *name, int ranks, const struct tally *calls, const double *each)
{
    if (calls->calls > 0 && *name && strcmp(name, "-") != 0 && strcmp(name, JOB_OTHERS) != 0)
        sum_add(sums_named(&r->by[aspect], name), ranks, calls, each);
}

/* ---- Logs and parts -------------------------------------------------------------------------------------------------- */

static void load_job(struct run *r, char *operand)
{
    const struct job *j = found_job((char *const[]){operand, NULL});
    char name[JOB_NAME];
    r->log = j->log;
    r->ranks = j->reported;
    r->command = cli_copy(j->command);
    for (int i = 0; i < j->frames; i++)
        lines_tell(j->frame[i]);
    for (int a = 0; a < ASPECTS; a++)
        for (int i = 0; i < j->groups[dimensions[a]]; i++) {
            const struct job_group *g = &j->group[dimensions[a]][i];
            add_calls(r, a, job_name(g, dimensions[a], name), g->ranks, &g->tally, g->each);
        }
}

/* ---- Reports -------------------------------------------------------------------------------------------------------- */

enum { BY, COLLECTIVE, SIZE, SITE, RANKS, CALLS, SECONDS, LEAST, MOST, WANTED };

static const char *const wanted[WANTED] = {"by",    "collective", "size",  "site", "ranks",
                                           "calls", "seconds",    "min_s", "max_s"};

static void read_remark(struct run *r, const char *line)
{
    int version;
    if (strncmp(line, "# command ", 10) == 0)
        r->command = cli_copy(line + 10);
    if (strncmp(line, "# frame ", 8) == 0)
        lines_tell(line + 8);
    if (sscanf(line, "# told %9d", &r->ranks) == 1 && r->ranks < 1)
        r->ranks = 1;
    if (sscanf(line, "# pleach-report %9d", &version) == 1 && version > 1)
        cli_fail(STATUS_FAILED, "%s is a report of format %d, which this command does not know", r->operand, version);
}

/* Adds the calls of a row. As job_name() does, calls it "allreduce", "allreduce up to 64K", or by its call site. */
static void read_row(struct run *r, const int where[WANTED], char *const field[FIELDS])
{
    struct tally t = {.calls = strtoll(field[where[CALLS]], NULL, 10)};
    double *const time[] = {&t.seconds, &t.least, &t.most};
    char bytes[UNITS_TEXT], sized[JOB_NAME];
    const char *const name[ASPECTS] = {field[where[COLLECTIVE]], sized, field[where[SITE]]};
    locale_t before = uselocale(c_locale());
    bool good = true;
    for (int i = 0; i < 3; i++) {
        *time[i] = strtod(field[where[SECONDS + i]], NULL);
        good &= isfinite(*time[i]) && *time[i] >= 0;
    }
    uselocale(before);
    size_print(strtoll(field[where[SIZE]], NULL, 10), bytes, sizeof bytes);
    snprintf(sized, sizeof sized, "%s up to %s", field[where[COLLECTIVE]], bytes);
    for (int a = 0; good && a < ASPECTS; a++)
        if (strcmp(field[where[BY]], aspect_names[a]) == 0)
            add_calls(r, a, name[a], atoi(field[where[RANKS]]), &t, NULL);
}

static void load_tsv(struct run *r, char *text)
{
    int where[WANTED], columns = 0;
    for (char *line; (line = strsep(&text, "\n"));) {
        char *field[FIELDS];
        line_trim(line);
        make_printable(line, "\t");
        if (*line == '#')
            read_remark(r, line);
        if (*line == '#' || !*line)
            continue;
        int fields = fields_cut(line, field);
        for (int w = 0; !columns && w < WANTED; w++)
            if ((where[w] = fields_find(fields, field, wanted[w])) < 0)
                cli_fail(STATUS_FAILED, "%s is no report of Pleach: its first line lacks the column '%s'", r->operand,
                         wanted[w]);
        if (columns && fields != columns)
            cli_fail(STATUS_FAILED, "%s: a line has %d columns, not %d", r->operand, fields, columns);
        if (columns)
            read_row(r, where, field);
        columns = fields;
    }
}

/* ---- Any operand ---------------------------------------------------------------------------------------------------- */

void compare_load(struct run *r, char *operand)
{
    char **files = found_files(operand), *text;
    *r = (struct run){.operand = operand, .ranks = 1, .command = NULL};
    if (!*files)
        cli_fail(STATUS_FAILED, "there is neither a log nor a part of a report in %s", operand);
    switch (found_kind_of(*files)) {
    case FILE_LOG:
    case FILE_PART:
        load_job(r, operand);
        break;
    case FILE_TSV_REPORT:
        text = found_text(*files);
        load_tsv(r, text);
        free(text);
        break;
    case FILE_REPORT:
        cli_fail(STATUS_FAILED, "%s: compare needs a report as TSV: name FILE.tsv in PLEACH_REPORT", *files);
    default:
        free(found_text(*files)); /* ends the command if the file cannot be read */
        cli_fail(STATUS_FAILED, "%s is neither a log nor a report of Pleach as TSV, nor a part of one", *files);
    }
    if (!r->by[ASPECT_COLLECTIVE].names.count && !r->by[ASPECT_SIZE].names.count && !r->by[ASPECT_SITE].names.count)
        cli_fail(STATUS_FAILED, "%s has no calls to compare", operand);
    if (!r->command)
        r->command = cli_copy("");
}
