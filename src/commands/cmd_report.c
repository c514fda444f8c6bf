/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach report: merges the rank reports of a job into one report. */
#include "cli.h"
#include "columns.h"
#include "found.h"
#include "lines.h"
#include "newfile.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

static int format = JOB_FORMATS; /* JOB_FORMATS: not given */
static const char *output;

static mode_t kind_of_file(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

/*
 * Returns the text of a finished report into which lines of source can be put, or NULL. The only operand must name the
 * report. NULL also if the name stands for the rank reports in a folder, which the command merges.
 */
static char *whole_report(char **operand)
{
    char parts[PATH_MAX];
    if (operand[1] || kind_of_file(operand[0]) != S_IFREG || found_parts(operand[0], parts))
        return NULL;
    char *text = found_text(operand[0]);
    if (found_type(text) == FILE_REPORT && lines_tell_all(text))
        return text;
    free(text);
    return NULL;
}

/* The format that --format or the suffix of -o names; text if neither names one. */
static enum job_format wanted(void)
{
    return format != JOB_FORMATS ? (enum job_format)format : output ? job_format_of(output) : JOB_TEXT;
}

/* Writes a finished report again, with lines of source for call sites. */
static void put_again(const char *name, const char *text, FILE *f)
{
    const enum job_format was = *text == '<' ? JOB_HTML : JOB_TEXT;
    if ((output || format != JOB_FORMATS) && wanted() != was)
        cli_fail(STATUS_FAILED, "%s: this is a report already, as %s; its format cannot be changed", name,
                 was == JOB_HTML ? "html" : "text");
    lines_find();
    lines_put(text, was == JOB_HTML, f);
}

static void show_lines(const struct job *j)
{
    for (int i = 0; i < j->frames; i++)
        lines_tell(j->frame[i]);
    lines_find();
    for (int i = 0; i < j->groups[BY_SITE]; i++)
        j->group[BY_SITE][i].site = lines_site(j->group[BY_SITE][i].site);
}

static void put_report(char **operand, FILE *f)
{
    const struct job *j = found_job(operand);
    const enum job_format as = wanted();
    if (as != JOB_TSV)
        show_lines(j);
    if (!job_write(j, as, output ? 0 : columns_width(stdout), f) || (as == JOB_TSV && !job_write_frames(j, JOB_TSV, f)))
        cli_fail(STATUS_FAILED, "out of memory");
}

static int write_report(char **operand)
{
    char why[512], *whole = whole_report(operand);
    struct text t;
    FILE *f = text_begin(&t);
    if (whole)
        put_again(operand[0], whole, f);
    else
        put_report(operand, f);
    free(whole);
    char *text = text_end(&t);
    if (output && !newfile_write(output, text, why, sizeof why))
        cli_fail(STATUS_FAILED, "%s", why);
    if (!output)
        fputs(text, stdout);
    free(text);
    return 0;
}

static const struct command_option options[] = {
    {"format", "text|tsv|html", "default: the format that the suffix of -o FILE names, or text", OPTION_WORD, 0, 0, &format},
    {"o,output", "FILE", "the file to write; default: standard output", OPTION_TEXT, 0, 0, &output},
    {0},
};

const struct command command_report = {
    .name = "report",
    .usage = "FILE|FOLDER... [OPTION...]",
    .summary = "merge the parts of a job's report, or its logs, into one report",
    .details =
        "Merges the parts that the ranks of a job leave in REPORT.parts with PLEACH_REPORT=REPORT, or a job's logs. A\n"
        "folder stands for the parts in it. Prints a finished report, text or HTML, again with lines of source.\n",
    .options = options,
    .least = 1,
    .most = INT32_MAX,
    .work = write_report,
};
