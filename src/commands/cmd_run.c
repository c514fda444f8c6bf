/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with the library for its MPI preloaded. */
#include "cli.h"
#include "launcher.h"
#include "preload.h"
#include "program.h"

#include <limits.h>

extern char **environ;

static int named = -1; /* number of the word of --mpi; -1: not given */
static bool verbose;

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
    const char *because;
    say_nothing(false); /* what fails from here on may fail on this rank alone */
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    const char *wanted = settings_wanted(&s); /* "report", "records" or NULL */
    program_examine(operand[0], &p);
    tell_launcher(operand[0], p.mpi);
    enum part library = preload_choice(&p, named, &because);
    if (wanted)
        program_tell_unserved(operand[0], &p, wanted);
    bool built = named >= 0 || preload_built(library, operand[0], because);
    if (built && verbose && is_speaker())
        say("%s for %s (%s)", parts_name(library), operand[0], because);
    preload(operand, &p, built, &library);
}

static const struct command_option options[] = {
    {"mpi", PRELOAD_MPIS, "preload the library for this MPI; default: the MPI that the program needs", OPTION_WORD, 0, 0,
     &named},
    {"v,verbose", NULL, "say which library is preloaded, and why", OPTION_FLAG, 0, 0, &verbose},
    {0},
};

const struct command command_run = {
    .name = "run",
    .usage = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
    .summary = "run a program with Pleach's library preloaded",
    .details = "Preloads Pleach's library for the program's MPI, and runs the program. Without such a library, a line says\n"
               "so, and the program runs without Pleach:\n\n"
               "  mpiexec -n 16 pleach run ./app args...\n\n" PRELOAD_STATUSES,
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .operands_end_options = true,
    .work = become_program,
};
