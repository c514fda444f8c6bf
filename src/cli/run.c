/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with libpleach.so preloaded. Its own exit statuses are those of env(1). */
#include "cli.h"
#include "parts.h"
#include "program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_PLEACH = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

extern char **environ;

/* Who asked for a report or a log is told, by rank 0, where there can be none. */
static void tell_unserved(const char *name)
{
    static struct settings s;
    static struct program p;
    if (!is_speaker())
        return;
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    bool report = s.report[0] && strcmp(s.report, "none") != 0;
    if (!report && !s.log[0])
        return;
    program_examine(name, &p);
    const char *why = program_unserved(&p);
    if (why)
        say("%s is %s; there will be no %s", name, why, report ? "report" : "records");
}

static int become_program(char **operand)
{
    char library[PATH_MAX];
    const char *others = getenv("LD_PRELOAD");
    parts_library(STATUS_PLEACH, library);

    char *preload = NULL;
    if (asprintf(&preload, "%s%s%s", library, others && *others ? ":" : "", others ? others : "") < 0 ||
        setenv("LD_PRELOAD", preload, 1) != 0)
        cli_fail(STATUS_PLEACH, "cannot set LD_PRELOAD: %s", strerror(errno));
    free(preload);

    tell_unserved(operand[0]);
    execvp(operand[0], operand);
    cli_fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "%s: %s", operand[0], strerror(errno));
}

const struct command command_run = {
    .name = "run",
    .usage = "[--] PROGRAM [ARGUMENT...]",
    .summary = "run a program with libpleach.so preloaded",
    .details = "Runs a program with libpleach.so preloaded. Put it between mpiexec and the program, so that\n"
               "nothing else is preloaded:\n\n"
               "  mpiexec -n 16 pleach run ./app args...\n\n"
               "The exit status is the program's; 127 if it is not found, 126 if it cannot be run, 125 if the\n"
               "library is missing.\n",
    .least = 1,
    .most = INT_MAX,
    .operands_end_options = true,
    .work = become_program,
};
