/* SPDX-License-Identifier: BSD-2-Clause */
/* Subcommands of pleach-mpi. They read options again, by the command's table. */
#include <config.h> /* PACKAGE_VERSION */

#include "bench.h"

#include "bench_job.h"
#include "process.h"

#include <stdio.h>
#include <string.h>

struct subcommand {
    const struct command *command;
    void (*start)(void);  /* after start_library() */
    int (*measure)(void); /* exit status */
    void (*write)(void);  /* after MPI_Finalize, on rank 0 */
};

static void nothing(void)
{
}

static int shared(void)
{
    const struct machine *m = &job.comm->known.machine;
    if (job.comm->rank == 0 && job.comm->channel.segment)
        puts(SHARED_YES);
    else if (job.comm->rank == 0 && m->node_least < 2 && process.settings.shared > 0)
        say(SHARED_NO "MPI finds %s on a node of its own", m->nodes == job.ranks ? "each rank" : "a rank");
    return 0;
}

static const struct subcommand table[] = {{&command_tune, start_job, tune, nothing},
                                          {&command_bench, start_job, bench, nothing},
                                          {&command_figures, start_job, figures, nothing},
                                          {&command_places, nothing, places, places_write},
                                          {&command_shared, nothing, shared, nothing}};

static const struct subcommand *work;

static int serve_command(char **operand)
{
    (void)operand;
    start_library();
    work->start();
    int status = work->measure();
    int rank = job.comm->rank;
    bench_mpi.Finalize();
    if (rank == 0)
        work->write();
    return status;
}

static int work_on(void *(*find)(const char *name), int argc, char **argv)
{
    say_nothing(!is_speaker());
    job.arguments = argv + 2;
    for (size_t i = 0; argc > 1 && i < sizeof table / sizeof table[0]; i++)
        if (strcmp(argv[1], table[i].command->name) == 0) {
            work = &table[i];
            bench_find(find);
            return cli_run(work->command, argc - 1, argv + 1, serve_command);
        }
    cli_fail(STATUS_USAGE, "use 'pleach tune', 'bench', 'figures' or 'places', which start pleach-mpi");
}

extern __attribute__((visibility("default"))) const struct bench pleach_bench;

const struct bench pleach_bench = {.version = PACKAGE_VERSION, .work = work_on};
