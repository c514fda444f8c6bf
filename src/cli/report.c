/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach report: one report of a job, from the parts that its ranks have left. */
#include "cli.h"
#include "columns.h"
#include "found.h"
#include "newfile.h"

#include <stdlib.h>

static int format = JOB_FORMATS; /* JOB_FORMATS: not given */
static const char *output;

static int report(char **operand)
{
    const struct job *j = found_job(operand);
    char *text, why[512];
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (format == JOB_FORMATS)
        format = output ? (int)job_format_of(output) : JOB_TEXT;
    if (!f || !job_write(j, (enum job_format)format, output ? 0 : columns_width(stdout), f) || fclose(f) != 0)
        cli_fail(STATUS_FAILED, "out of memory");
    if (output && !newfile_write(output, text, why, sizeof why))
        cli_fail(STATUS_FAILED, "%s", why);
    if (!output)
        fputs(text, stdout);
    free(text);
    return 0;
}

static const struct command_option options[] = {
    {"format", "text|tsv|html", "default: as the end of FILE says, else text", OPTION_WORD, 0, 0, &format},
    {"o,output", "FILE", "the file to write; default: standard output", OPTION_TEXT, 0, 0, &output},
    {0},
};

const struct command command_report = {
    .name = "report",
    .usage = "FILE|FOLDER... [OPTION...]",
    .summary = "join what the ranks of a job have left to one report",
    .details =
        "Joins parts of a report, which the ranks of a job leave in the folder REPORT.parts where PLEACH_REPORT=REPORT\n"
        "was set, and which stay there if the job is killed. A folder stands for the parts in it. Where parts are\n"
        "of several jobs, the newest is reported.\n",
    .options = options,
    .least = 1,
    .most = INT32_MAX,
    .work = report,
};
