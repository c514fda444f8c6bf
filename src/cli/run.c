/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with libpleach.so preloaded. */
#include "cli.h"
#include "preload.h"
#include "program.h"

#include <limits.h>
#include <string.h>

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
    tell_unserved(operand[0]);
    preload(operand, 1, (const enum part[]){PART_LIBRARY});
}

const struct command command_run = {
    .name = "run",
    .usage = "[--] PROGRAM [ARGUMENT...]",
    .summary = "run a program with libpleach.so preloaded",
    .details = "Runs a program with libpleach.so preloaded. Put it between mpiexec and the program, so that\n"
               "nothing else is preloaded:\n\n"
               "  mpiexec -n 16 pleach run ./app args...\n\n" PRELOAD_STATUSES,
    .least = 1,
    .most = INT_MAX,
    .operands_end_options = true,
    .work = become_program,
};
