/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach-mpi: what `pleach tune` and `pleach bench` become. It reads their options once more, by the same table, and is
 * linked with MPI and with all of libpleach.so but the MPI_ functions, so that it calls natives and engines itself.
 */
#include "job.h"
#include "plot.h"
#include "progress.h"

#include <mpi.h>
#include <pleach/speaker.h>
#include <string.h>

static int (*work)(void);

static int run(int count, char **operand)
{
    (void)count;
    (void)operand;
    job_start();
    int status = work();
    progress_end();
    int rank = job.comm->rank;
    PMPI_Finalize();
    if (rank == 0)
        plot_write();
    return status;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct command *command = strcmp(name, "tune") == 0 ? &command_tune : &command_bench;
    cli_silence(!is_speaker());
    job.arguments = argv + 2;
    work = command == &command_tune ? tune : bench;
    if (strcmp(name, command->name) != 0)
        cli_fail(STATUS_USAGE, "pleach-mpi is started by 'pleach tune' and 'pleach bench'");
    return cli_run(command, argc - 1, argv + 1, run);
}
