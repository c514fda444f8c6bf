/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach advise: becomes the program in a dry run, whose report is the advice. */
#include "cli.h"
#include "job.h"
#include "preload.h"
#include "program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char *output; /* NULL: standard error */
static int format = -1;    /* of ADVICE_FORMATS; -1: that of the name */
static bool measure;

static void set(const char *name, const char *value)
{
    if (setenv(name, value, 1) != 0)
        cli_fail(STATUS_PLEACH, "cannot set %s: %s", name, strerror(errno));
}

static void check_advise(void)
{
    if (output && !*output)
        cli_fail(STATUS_USAGE, "-o FILE: the name is empty");
    if (output && strpbrk(output, ", \t"))
        cli_fail(STATUS_USAGE, "-o '%s': the name must have no comma and no blank", output);
}

/* Says that the advice takes the place of a report that the settings ask for. */
static void tell_report(void)
{
    static struct settings s;
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    if (is_speaker() && settings_report_given(s.report))
        say("PLEACH_REPORT=%s has no effect here: the advice takes the place of the report; -o FILE names its file",
            s.report);
}

/*
 * The name of the output as a value of PLEACH_REPORT: each '%' of the name becomes "%%". In a folder, no name is a word that
 * the setting knows, as "none" is.
 */
static char *pattern(void)
{
    static const char here[] = "./";
    if (!output)
        return "stderr";
    char *text = cli_memory(sizeof here + 2 * strlen(output), 1), *to = text;
    if (!strchr(output, '/'))
        to = stpcpy(to, here);
    for (const char *c = output; *c; c++) {
        *to++ = *c;
        if (*c == '%')
            *to++ = '%';
    }
    return text;
}

static int become_program(char **operand)
{
    static struct program p;
    char as[UNITS_TEXT];
    say_nothing(false); /* what fails from here on may fail on this rank alone */
    tell_report();
    set("PLEACH_DRY_RUN", "yes");
    set("PLEACH_DRY_TRIALS", measure ? "yes" : "no");
    choice_print(format + 1, "yes|" ADVICE_FORMATS, as, sizeof as);
    set("PLEACH_ADVICE", as);
    if (!getenv("PLEACH_BUDGET"))
        set("PLEACH_BUDGET", "0.5s");
    set("PLEACH_REPORT", pattern());
    if (is_speaker() || program_sanitized(operand[0])) /* as `pleach run' does */
        program_examine(operand[0], &p);
    program_tell_unserved(operand[0], &p, "advice");
    preload(operand, &p, 2, (const enum part[]){PART_LIBRARY, PART_OTHERS});
}

static const struct command_option options[] = {
    {"measure", NULL, "time all kinds of calls that come again, and a second engine for each, whatever that costs",
     OPTION_FLAG, 0, 0, &measure},
    {"o,output", "FILE", "write the advice to this file; default: standard error", OPTION_TEXT, 0, 0, &output},
    {"format", ADVICE_FORMATS,
     "text is the advice, the others are the report of the run; default: what the suffix of -o FILE "
     "names, or text",
     OPTION_WORD, 0, 0, &format},
    {0},
};

const struct command command_advise = {
    .name = "advise",
    .usage = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
    .summary = "run a program natively, and say what Pleach would do for it",
    .details = "Runs a program natively, and says at the end what Pleach would do for the job, with tables of times:\n\n"
               "  mpiexec -n 16 pleach advise ./app args...\n\n" PRELOAD_STATUSES,
    .options = options,
    .check = check_advise,
    .least = 1,
    .most = INT_MAX,
    .operands_end_options = true,
    .work = become_program,
};
