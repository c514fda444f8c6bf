/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach log: sums up the records of logs, as tables or as a picture of bars. */
#include "cli.h"
#include "colour.h"
#include "engine.h"
#include "escape.h"
#include "lines.h"
#include "logs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANK = 5, COMM, ALL, FORMAT_SVG = TABLE_JSON + 1, BARS = 20 }; /* ALL: no --by; BARS: of a picture without --top */

/* The tables, by the words of --by. */
static const enum dimension words[ALL] = {BY_SITE, BY_SERVICE, BY_SERVICE, BY_COLLECTIVE, BY_SIZE, BY_SITE, BY_SITE};
static const enum dimension every[] = {BY_SITE, BY_SERVICE, BY_COLLECTIVE, BY_SIZE};

static int by = ALL;
static bool follow;
static int64_t top; /* 0: not given */

/* Sets *tables to the dimensions of the tables that are wanted; returns their number. */
static int wanted(const enum dimension **tables)
{
    *tables = by == ALL ? every : &words[by];
    return by == ALL ? (int)(sizeof every / sizeof every[0]) : 1;
}

static void put_tables(const struct job *j, const struct log_lines *lines, int files)
{
    const enum dimension *tables;
    const int count = wanted(&tables);
    char bytes[UNITS_TEXT], seconds[UNITS_TEXT];
    struct document out;
    cli_document(&out);
    if (cli_format == TABLE_TEXT && j->dry)
        printf("calls of dry runs ran natively; WOULD is what would have served them\n");
    if (cli_format == TABLE_TEXT)
        printf("%lld call%s of %d rank%s in %d file%s%s: %s bytes, %s\n", (long long)lines->records, plural(lines->records),
               j->reported, plural(j->reported), files, plural(files), logs_of_several() ? ", of several runs" : "",
               size_about(j->all.bytes, bytes), time_about(j->all.seconds, seconds));
    for (int i = 0; i < count; i++)
        cli_enough(job_write_table(j, tables[i], top ? (int)top : INT32_MAX, &out));
}

/* ---- svg ------------------------------------------------------------------------------------------------------------ */

/* Draws the groups of a dimension as bars below y; returns the y below them. */
static int put_bars(const struct job *j, enum dimension d, int y)
{
    enum { LINE = 20, NAMES = 480, LONGEST = 460 }; /* pixels: height of a bar, room for names, length of the longest bar */
    const int64_t most = top ? top : BARS;
    const int bars = j->groups[d] < most ? j->groups[d] : (int)most;
    const char *colour[COLOURED];
    char name[JOB_NAME], share[UNITS_TEXT];
    uint64_t rows = 0;
    for (int i = 0; i < bars; i++)
        rows |= (uint64_t)1 << j->group[d][i].would;
    engine_colours(rows, colour);
    printf("<text x='%d' y='%d' font-weight='bold'>seconds in calls: %d of %d groups</text>\n", NAMES, y += 2 * LINE, bars,
           j->groups[d]);
    for (const struct job_group *g = j->group[d]; g < j->group[d] + bars; g++) {
        const double length = LONGEST * g->tally.seconds / (j->group[d]->tally.seconds > 0 ? j->group[d]->tally.seconds : 1);
        printf("<text x='%d' y='%d' text-anchor='end'>", NAMES - 8, (y += LINE) + 12);
        html_text(stdout, job_name(g, d, name));
        printf(
            "</text><rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/><text x='%.1f' y='%d'>%lld call%s, %s</text>\n",
            NAMES, y, length, LINE - 4, d == BY_SERVICE ? colour[g->would] : "#4682b4", NAMES + length + 8, y + 12,
            (long long)g->tally.calls, plural(g->tally.calls), share_about(g->tally.seconds, j->all.seconds, share));
    }
    return y + LINE;
}

static void put_picture(const struct job *j)
{
    const enum dimension *tables;
    const int count = wanted(&tables);
    int height = 20;
    for (int i = 0; i < count; i++)
        height += 60 + 20 * (int)(j->groups[tables[i]] < (top ? top : BARS) ? j->groups[tables[i]] : top ? top : BARS);
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1100 %d' font-family='sans-serif' font-size='11'>\n"
           "<rect width='100%%' height='100%%' fill='white'/>\n",
           height);
    for (int i = 0, y = 0; i < count; i++)
        y = put_bars(j, tables[i], y);
    printf("</svg>\n");
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static void put_job(const struct job *j, const struct log_lines *lines, int files)
{
    if (cli_format == FORMAT_SVG && !lines->records)
        cli_fail(STATUS_FAILED, "no records: there is nothing to draw");
    if ((cli_format == TABLE_TEXT || cli_format == FORMAT_SVG) && by != RANK && by != COMM)
        lines_show(j);
    if (cli_format == FORMAT_SVG)
        put_picture(j);
    else if (cli_format == TABLE_JSON)
        job_write(j, JOB_JSON, 0, stdout);
    else
        put_tables(j, lines, files);
}

static void open_log(struct log_reader *r, const char *operand)
{
    const bool standard = strcmp(operand, "-") == 0;
    FILE *f = standard ? stdin : cli_open(operand);
    *r = (struct log_reader){.f = f,
                             .name = standard ? "standard input" : operand,
                             .grows = follow && ftell(f) >= 0,
                             .by = by == RANK   ? "rank"
                                   : by == COMM ? "comm"
                                                : NULL};
}

/* Reads what the logs have by now. Returns the sums of their lines. One log is open at a time, unless they are followed. */
static struct log_lines read_all(struct merge *m, struct log_reader *log, char *const *operand, int files)
{
    struct log_lines all = {0};
    for (struct log_reader *r = log; r < log + files; r++) {
        if (!r->f)
            open_log(r, operand[r - log]);
        logs_read(m, r);
        if (!follow && r->f != stdin)
            fclose(r->f);
        if (r->lines.broken && !r->lines.records && !follow)
            cli_fail(STATUS_FAILED, "%s has no records: %lld line%s not understood", r->name, (long long)r->lines.broken,
                     r->lines.broken == 1 ? " was" : "s were");
        all.records += r->lines.records;
        all.broken += r->lines.broken;
    }
    return all;
}

/* Does any log have its first line? */
static bool has_header(const struct log_reader *log, int files)
{
    for (const struct log_reader *r = log; r < log + files; r++)
        if (r->columns.fields)
            return true;
    return false;
}

static const struct job *job_of(struct merge *m, const struct log_lines *lines)
{
    static const struct job none;
    const struct job *j = lines->records ? job_finish(m) : &none;
    cli_enough(j);
    return j;
}

/* Prints the tables anew whenever the logs have grown, until the user ends the command. On a terminal, in the same place. */
_Noreturn static void follow_logs(struct merge *m, struct log_reader *log, char *const *operand, int files)
{
    enum { EVERY = 1 }; /* seconds */
    const bool terminal = isatty(STDOUT_FILENO);
    for (int64_t before = 0;; sleep(EVERY)) {
        const struct log_lines lines = read_all(m, log, operand, files);
        if (lines.records == before)
            continue;
        if (terminal)
            fputs("\033[H\033[2J", stdout);
        else if (before)
            putchar('\n');
        put_job(job_of(m, &lines), &lines, files);
        if (fflush(stdout) != 0)
            cli_fail(STATUS_FAILED, "cannot write to standard output: %s", strerror(errno));
        before = lines.records;
    }
}

static void check_log(void)
{
    if (follow && cli_format != TABLE_TEXT)
        cli_fail(STATUS_USAGE, "--follow prints text alone");
    if (cli_format == TABLE_JSON && (top || by < RANK))
        cli_fail(STATUS_USAGE, "--format json has all groups: it takes no --top, and no --by but rank and comm");
}

static int sum_up(char **operand)
{
    struct merge *m = job_begin();
    int files = 0;
    while (operand[files])
        files++;
    struct log_reader *log = cli_memory((size_t)files, sizeof *log);
    cli_enough(m);
    if (follow)
        follow_logs(m, log, operand, files);
    const struct log_lines all = read_all(m, log, operand, files);
    if (!has_header(log, files))
        cli_fail(STATUS_FAILED,
                 "%s is empty: the ranks that write (PLEACH_LOG_RANKS) have made no call; see pleach-report(5)", log->name);
    put_job(job_of(m, &all), &all, files);
    logs_tell_broken("", &all);
    job_free(m);
    free(log);
    return 0;
}

static const struct command_option options[] = {
    {"by", "site|engine|reason|collective|size|rank|comm",
     "print this table alone; engine and reason share one; default: all tables", OPTION_WORD, 0, 0, &by},
    {"top", "NUMBER", "print so many lines, those with the most time; default: all, and 20 in an svg", OPTION_NUMBER, 1,
     INT32_MAX, &top},
    {"follow", NULL, "print the tables anew whenever the logs have grown, as long as the command runs", OPTION_FLAG, 0, 0,
     &follow},
    {"format", TABLE_WORDS "|svg", "default text; json is that of a report", OPTION_WORD, 0, 0, &cli_format},
    {0},
};

const struct command command_log = {
    .name = "log",
    .usage = "FILE... [OPTION...]",
    .summary = "sum up the records of logs: by call site, engine, reason, collective",
    .details = "Sums up records that the library wrote to PLEACH_LOG, as tables; the line with the most time comes first.\n"
               "`-' is standard input.\n",
    .options = options,
    .check = check_log,
    .least = 1,
    .most = INT32_MAX,
    .work = sum_up,
};
