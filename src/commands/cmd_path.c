/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach path: prints where the library is, for launchers that preload it themselves. */
#include "cli.h"
#include "parts.h"

#include <limits.h>

static int print_path(char **operand)
{
    char library[PATH_MAX];
    (void)operand;
    parts_library(PART_LIBRARY, STATUS_FAILED, library);
    puts(library);
    return 0;
}

const struct command command_path = {
    .name = "path",
    .usage = "",
    .summary = "print the full path of Pleach's library",
    .details = "Prints the full path of libpleach.so, for launchers that preload it themselves:\n\n"
               "  mpiexec -n 16 -genv LD_PRELOAD \"$(pleach path)\" ./app args...\n",
    .work = print_path,
};
