/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with Pleach preloaded. */
#include "cli.h"
#include "launcher.h"
#include "preload.h"
#include "program.h"

#include <limits.h>

extern char **environ;

/* Warns if another MPI's launcher has started the program, which then runs, but as jobs of one rank each. */
static void tell_launcher(const char *name, enum mpi mpi)
{
    struct launched by;
    if (is_speaker() && launched_apart(&by, mpi))
        say("%s is built for %s, but %s has started its %s ranks: each may be alone; start it with the mpiexec of %s", name,
            mpi_name(mpi), by.launcher, by.ranks, mpi_name(mpi));
}

static int become_program(char **operand)
{
    static struct settings s;
    static struct program p;
    say_nothing(false); /* what fails from here on may fail on this rank alone */
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    const char *wanted = settings_wanted(&s); /* "report", "records" or NULL */
    program_examine(operand[0], &p);
    tell_launcher(operand[0], p.mpi);
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
