/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with libpleach.so preloaded. */
#include "cli.h"
#include "preload.h"

#include <limits.h>

static int become_program(char **operand)
{
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
