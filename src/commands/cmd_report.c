/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach report: makes one report of a job's rank reports, of its logs, or of a finished report. */
#include "cli.h"
#include "found.h"
#include "lines.h"
#include "logs.h"
#include "newfile.h"

#include <stdlib.h>

static int format = JOB_FORMATS; /* JOB_FORMATS: not given */
static const char *output;

/* The format that --format or the suffix of -o names; text if neither names one. */
static enum job_format wanted(void)
{
    return format != JOB_FORMATS ? (enum job_format)format : output ? job_format_of(output) : JOB_TEXT;
}

static void put_report(char **operand, FILE *f)
{
    const enum job_format as = wanted();
    if (as == JOB_TRACE && logs_trace(operand, f))
        return;
    const struct job *j = found_job(operand);
    if (as == JOB_TEXT || as == JOB_HTML)
        lines_show(j);
    cli_enough(job_write(j, as, output ? 0 : columns_width(stdout), f));
}

static int write_report(char **operand)
{
    char why[512];
    struct text t;
    put_report(operand, text_begin(&t));
    char *text = text_end(&t);
    if (output && !newfile_write(output, text, why, sizeof why))
        cli_fail(STATUS_FAILED, "%s", why);
    if (!output)
        fputs(text, stdout);
    free(text);
    return 0;
}

static const struct command_option options[] = {
    {"format", "text|tsv|csv|json|html|trace", "default: the format that the suffix of -o FILE names, or text", OPTION_WORD,
     0, 0, &format},
    {"o,output", "FILE", "the file to write; default: standard output", OPTION_TEXT, 0, 0, &output},
    {0},
};

const struct command command_report = {
    .name = "report",
    .usage = "FILE|FOLDER... [OPTION...]",
    .summary = "make one report of the parts of a job's report, of its logs, or of a finished report",
    .details =
        "Merges the parts that the ranks of a job leave in REPORT.parts with PLEACH_REPORT=REPORT, or a job's logs. A\n"
        "folder stands for the parts in it. Makes any form of a finished report in html or json. A trace is for\n"
        "Perfetto: ranks as tracks, calls as slices; of logs, it has all calls.\n",
    .options = options,
    .least = 1,
    .most = INT32_MAX,
    .work = write_report,
};
