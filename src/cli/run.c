/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with libpleach.so preloaded. */
#include "cli.h"
#include "preload.h"
#include "program.h"

#include <limits.h>
#include <string.h>

extern char **environ;

/* What the user asked for, which there cannot be without calls; or NULL. */
static const char *asked_for(void)
{
    static struct settings s;
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    if (s.report[0] && strcmp(s.report, "none") != 0)
        return "report";
    return s.log[0] ? "records" : NULL;
}

static int become_program(char **operand)
{
    const char *wanted = asked_for();
    if (wanted)
        program_tell_unserved(operand[0], wanted);
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
