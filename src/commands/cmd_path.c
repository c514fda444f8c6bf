/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach path: prints where the library is, for launchers that preload it themselves. */
#include "cli.h"
#include "preload.h"

#include <limits.h>

static int named; /* number of the word of --mpi */

static int print_path(char **operand)
{
    char library[PATH_MAX];
    (void)operand;
    parts_library(preload_named(named), STATUS_FAILED, library);
    puts(library);
    return 0;
}

static const struct command_option options[] = {
    {"mpi", PRELOAD_MPIS, "the library for programs of this MPI; default mpich", OPTION_WORD, 0, 0, &named},
    {0},
};

const struct command command_path = {
    .name = "path",
    .usage = "[OPTION]",
    .summary = "print the full path of Pleach's library",
    .details = "Prints the full path of libpleach.so, or of the library for another MPI, for launchers that preload it\n"
               "themselves:\n\n"
               "  mpiexec -n 16 -genv LD_PRELOAD \"$(pleach path)\" ./app args...\n\n"
               "'pleach run --mpi' takes the same library.\n",
    .options = options,
    .work = print_path,
};
