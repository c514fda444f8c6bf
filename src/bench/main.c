/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach-mpi: what `pleach tune`, `bench`, `figures` and `places` become. It reads their options once more, by the same
 * table, and is linked with MPI and with all of libpleach.so but the MPI_ functions, so that it calls natives and engines
 * itself. Linked with another MPI it is pleach-mpi-ompi.
 */
#include "job.h"
#include "plot.h"

#include <mpi.h>
#include <string.h>

/* What a subcommand does. */
struct subcommand {
    const struct command *command;
    void (*start)(void);  /* after start_library() */
    int (*measure)(void); /* returns the exit status */
    void (*write)(void);  /* after MPI_Finalize, on rank 0 */
};

static void nothing(void)
{
}

static const struct subcommand table[] = {{&command_tune, start_job, tune, nothing},
                                          {&command_bench, start_job, bench, plot_write},
                                          {&command_figures, start_job, figures, nothing},
                                          {&command_places, nothing, places, places_write}};

static const struct subcommand *work;

static int serve_command(char **operand)
{
    (void)operand;
    start_library();
    work->start();
    int status = work->measure();
    progress_end();
    int rank = job.comm->rank;
    PMPI_Finalize();
    if (rank == 0)
        work->write();
    return status;
}

int main(int argc, char **argv)
{
    say_nothing(!is_speaker());
    job.arguments = argv + 2;
    for (size_t i = 0; argc > 1 && i < sizeof table / sizeof table[0]; i++)
        if (strcmp(argv[1], table[i].command->name) == 0) {
            work = &table[i];
            return cli_run(work->command, argc - 1, argv + 1, serve_command);
        }
    cli_fail(STATUS_USAGE, "pleach-mpi is started by 'pleach tune', 'bench', 'figures' and 'places'");
}
