/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach-mpi: what `pleach tune`, `pleach bench` and `pleach figures` become. It reads their options once more, by the same
 * table, and is linked with MPI and with all of libpleach.so but the MPI_ functions, so that it calls natives and engines
 * itself.
 */
#include "job.h"
#include "plot.h"

#include <mpi.h>
#include <string.h>

static int (*measure)(void);

static int serve_command(char **operand)
{
    (void)operand;
    start_job();
    int status = measure();
    progress_end();
    int rank = job.comm->rank;
    PMPI_Finalize();
    if (rank == 0)
        plot_write();
    return status;
}

int main(int argc, char **argv)
{
    static const struct {
        const struct command *command;
        int (*measure)(void);
    } table[] = {{&command_tune, tune}, {&command_bench, bench}, {&command_figures, figures}};
    say_nothing(!is_speaker());
    job.arguments = argv + 2;
    for (size_t i = 0; argc > 1 && i < sizeof table / sizeof table[0]; i++)
        if (strcmp(argv[1], table[i].command->name) == 0) {
            measure = table[i].measure;
            return cli_run(table[i].command, argc - 1, argv + 1, serve_command);
        }
    cli_fail(STATUS_USAGE, "pleach-mpi is started by 'pleach tune', 'pleach bench' and 'pleach figures'");
}
