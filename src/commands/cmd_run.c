/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with Pleach preloaded. */
#include "cli.h"
#include "preload.h"
#include "program.h"

#include <limits.h>

extern char **environ;

static int become_program(char **operand)
{
    static struct settings s;
    static struct program p;
    say_nothing(false); /* what fails from here on may fail on this rank alone */
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    const char *wanted = settings_wanted(&s);          /* "report", "records" or NULL */
    if (is_speaker() || program_sanitized(operand[0])) /* else each rank would open each library of the program */
        program_examine(operand[0], &p);
    if (wanted)
        program_tell_unserved(operand[0], &p, wanted);
    preload(operand, &p, 1, (const enum part[]){PART_LIBRARY});
}

const struct command command_run = {
    .name = "run",
    .usage = "[--] PROGRAM [ARGUMENT...]",
    .summary = "run a program with Pleach's library preloaded",
    .details = "Preloads Pleach's library, and runs the program, whatever its MPI:\n\n"
               "  mpiexec -n 16 pleach run ./app args...\n\n" PRELOAD_STATUSES,
    .least = 1,
    .most = INT_MAX,
    .operands_end_options = true,
    .work = become_program,
};
