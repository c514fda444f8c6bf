/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with the library for its MPI preloaded. Its own exit statuses are those of env(1). */
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

static int named = -1; /* of the words of --mpi; -1: none */
static bool verbose;

/* Who asked for a report or a log is told, by rank 0, where there can be none. */
static void tell_unserved(const char *name, const struct program *p)
{
    static struct settings s;
    if (!is_speaker())
        return;
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    bool report = s.report[0] && strcmp(s.report, "none") != 0;
    const char *why = report || s.log[0] ? program_unserved(p) : NULL;
    if (why)
        say("%s is %s; there will be no %s", name, why, report ? "report" : "records");
}

/*
 * The library for the program: the one that is named, else the one for the MPI library that it needs. What needs none, as an
 * interpreter, may load one later: then the launcher's own MPI is the best guess.
 */
static enum part choose_library(const struct program *p, const char **because)
{
    static const enum mpi words[] = {MPI_MPICH, MPI_OPEN_MPI, MPI_STANDARD};
    bool loads = p->mpi == MPI_NONE, started = getenv("OMPI_COMM_WORLD_RANK") != NULL;
    *because = named >= 0 ? "--mpi says so"
               : !loads   ? p->library
               : started  ? "Open MPI's launcher"
                          : "no other MPI is known of";
    return parts_for(named >= 0 ? words[named] : !loads ? p->mpi : started ? MPI_OPEN_MPI : MPI_MPICH);
}

static void preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    char *all = NULL;
    if (asprintf(&all, "%s%s%s", library, others && *others ? ":" : "", others ? others : "") < 0 ||
        setenv("LD_PRELOAD", all, 1) != 0)
        cli_fail(STATUS_PLEACH, "cannot set LD_PRELOAD: %s", strerror(errno));
    free(all);
}

static int become_program(char **operand)
{
    static struct program p;
    char library[PATH_MAX];
    const char *because;
    program_examine(operand[0], &p);
    enum part part = choose_library(&p, &because);
    bool there = part == PART_LIBRARY || named >= 0 || parts_find(part, library);
    if (there) {
        parts_library(part, STATUS_PLEACH, library);
        preload(library);
        tell_unserved(operand[0], &p);
    } else if (is_speaker())
        say("%s, which %s needs, was not built: it runs without Pleach", parts_name(part), operand[0]);
    if (verbose && there && is_speaker())
        say("%s for %s (%s)", library, operand[0], because);

    execvp(operand[0], operand);
    cli_fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "%s: %s", operand[0], strerror(errno));
}

static const struct command_option options[] = {
    {"mpi", "mpich|openmpi|abi", "for programs of this MPI; default: the one that the program needs", OPTION_WORD, 0, 0,
     &named},
    {"v,verbose", NULL, "say which library is preloaded, and why", OPTION_FLAG, 0, 0, &verbose},
    {0},
};

const struct command command_run = {
    .name = "run",
    .usage = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
    .summary = "run a program with Pleach's library preloaded",
    .details = "Runs a program with the library preloaded that is built for its MPI: libpleach.so,\n"
               "libpleach-ompi.so or libpleach-abi.so. Put it between mpiexec and the program, so that nothing\n"
               "else is preloaded:\n\n"
               "  mpiexec -n 16 pleach run ./app args...\n\n"
               "The exit status is the program's; 127 if it is not found, 126 if it cannot be run, 125 if the\n"
               "library is missing.\n",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .operands_end_options = true,
    .work = become_program,
};
