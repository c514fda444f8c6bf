/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads a run for `pleach compare`: logs, parts of a report, or a report as TSV. */
#include "cli.h"
#include "compare_runs.h"
#include "fields.h"
#include "found.h"
#include "lines.h"
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int grouping;             /* in a log */
    enum dimension dimension; /* in a report */
} aspects[ASPECTS] = {[ASPECT_COLLECTIVE] = {LOG_COLLECTIVE, BY_COLLECTIVE},
                      [ASPECT_SIZE] = {LOG_SIZE, BY_SIZE},
                      [ASPECT_SITE] = {LOG_SITE, BY_SITE}};

/*
 * Adds calls of so many ranks under their name. Leaves out calls without a name of their own, such as those of JOB_OTHERS.
 */
static void add_calls(struct run *r, int aspect, const char *name, int ranks, const struct tally *calls, const double *each)
{
    if (calls->calls > 0 && *name && strcmp(name, "-") != 0 && strcmp(name, JOB_OTHERS) != 0)
        sum_add(sums_named(&r->by[aspect], name), ranks, calls, each);
}

/* ---- Logs ----------------------------------------------------------------------------------------------------------- */

static void load_logs(struct run *r, char *const *name)
{
    struct summary s = {.wanted = {[LOG_COLLECTIVE] = true, [LOG_SIZE] = true, [LOG_SITE] = true, [LOG_RANK] = true}};
    for (; *name; name++) {
        FILE *f = cli_open(*name);
        summary_add(&s, f, *name);
        fclose(f);
    }
    r->ranks = s.by[LOG_RANK].names.count > 1 ? (int)s.by[LOG_RANK].names.count : 1;
    for (int a = 0; a < ASPECTS; a++) {
        const struct sums *all = &s.by[aspects[a].grouping];
        for (int64_t i = 0; i < all->names.count; i++) {
            add_calls(r, a, all->sum[i].name, all->sum[i].ranks, &all->sum[i].tally, all->sum[i].each);
            free(all->sum[i].each);
        }
    }
    if (s.broken)
        say("%s: %lld line%s not understood", r->operand, (long long)s.broken, s.broken == 1 ? " was" : "s were");
}

/* ---- Reports -------------------------------------------------------------------------------------------------------- */

/* Adds the calls of a row, whose name is "allreduce", "allreduce up to 64K", or that of its call site. */
static void add_row(struct run *r, int aspect, const char *collective, int64_t size, const char *site, int ranks,
                    const struct tally *calls)
{
    char bytes[UNITS_TEXT], sized[128];
    const char *const name[ASPECTS] = {[ASPECT_COLLECTIVE] = collective, [ASPECT_SIZE] = sized, [ASPECT_SITE] = site};
    size_print(size, bytes, sizeof bytes);
    snprintf(sized, sizeof sized, "%s up to %s", collective, bytes);
    add_calls(r, aspect, name[aspect], ranks, calls, NULL);
}

static void load_parts(struct run *r, char *operand)
{
    const struct job *j = found_job((char *const[]){operand, NULL});
    r->ranks = j->reported;
    r->command = cli_copy(j->command);
    for (int i = 0; i < j->frames; i++)
        lines_tell(j->frame[i]);
    for (int a = 0; a < ASPECTS; a++)
        for (int i = 0; i < j->groups[aspects[a].dimension]; i++) {
            const struct job_group *g = &j->group[aspects[a].dimension][i];
            add_row(r, a, collective_name(g->collective), g->size < 0 ? 0 : INT64_C(1) << g->size, g->site, g->ranks,
                    &g->tally);
        }
}

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

static void read_row(struct run *r, const int where[WANTED], char *const field[FIELDS])
{
    struct tally t = {.calls = strtoll(field[where[CALLS]], NULL, 10)};
    double *const time[] = {&t.seconds, &t.least, &t.most};
    locale_t before = uselocale(c_locale());
    bool good = true;
    for (int i = 0; i < 3; i++) {
        *time[i] = strtod(field[where[SECONDS + i]], NULL);
        good &= isfinite(*time[i]) && *time[i] >= 0;
    }
    uselocale(before);
    for (int a = 0; good && a < ASPECTS; a++)
        if (strcmp(field[where[BY]], aspect_names[a]) == 0)
            add_row(r, a, field[where[COLLECTIVE]], strtoll(field[where[SIZE]], NULL, 10), field[where[SITE]],
                    atoi(field[where[RANKS]]), &t);
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
    char **files = found_files(operand);
    size_t length;
    *r = (struct run){.operand = operand, .ranks = 1, .command = NULL};
    if (!*files)
        cli_fail(STATUS_FAILED, "there is neither a log nor a part of a report in %s", operand);
    char *text = found_text(*files, &length);
    switch (found_kind(text)) {
    case FILE_LOG:
        r->log = true;
        load_logs(r, files);
        break;
    case FILE_PART:
        load_parts(r, operand);
        break;
    case FILE_TSV_REPORT:
        load_tsv(r, text);
        break;
    case FILE_REPORT:
        cli_fail(STATUS_FAILED, "%s: compare needs a report as TSV: name FILE.tsv in PLEACH_REPORT", *files);
    default:
        cli_fail(STATUS_FAILED, "%s is neither a log nor a report of Pleach as TSV, nor a part of one", *files);
    }
    free(text);
    if (!r->by[ASPECT_COLLECTIVE].names.count && !r->by[ASPECT_SIZE].names.count && !r->by[ASPECT_SITE].names.count)
        cli_fail(STATUS_FAILED, "%s has no calls to compare", operand);
    if (!r->command)
        r->command = cli_copy("");
}
