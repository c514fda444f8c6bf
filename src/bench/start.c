/* SPDX-License-Identifier: BSD-2-Clause */
/* The start of a job; see bench_job.h. */
#include "bench.h"
#include "clock.h"
#include "bench_job.h"
#include "launcher.h"
#include "library.h"
#include "measure.h"
#include "nodes.h"
#include "process.h"
#include "record.h"
#include "sharing.h"

#include <stdlib.h>
#include <string.h>

enum { TRANSFER = 4 << 20, FEWEST = 5, MOST = 50 }; /* bytes; transfers */

#define BETA_SECONDS 0.5 /* beyond FEWEST, only within this time */

/* ---- Beta ---------------------------------------------------------------------------------------------------------- */

struct transfer {
    int from, to;
    char *data;
};

static void transfer(void *with)
{
    const struct transfer *t = with;
    if (process.rank == t->from)
        pmpi.Send(t->data, TRANSFER, MPI_BYTE, t->to, 0, job.comm->channel.comm);
    else if (process.rank == t->to)
        pmpi.wire.Recv(t->data, TRANSFER, MPI_BYTE, t->from, 0, job.comm->channel.comm, MPI_STATUS_IGNORE);
}

/* To the first rank of another node, or rank 1. Others take no part: clock_time() counts from the latest start. */
static double measure_beta(struct comm *c)
{
    const struct node_list *nodes = c->locality.nodes;
    struct transfer t = {.to = nodes->nodes > 1 ? node_list_rank(nodes, 1, 0) : 1, .data = job_memory(NULL, TRANSFER, 1)};
    struct repetition repetition[MOST];
    struct timing timing;
    double spent = 0;
    int count = 0;
    memset(t.data, 0, TRANSFER); /* else the kernel's zero page */
    bool takes_part = c->rank == t.from || c->rank == t.to;
    while (count < FEWEST || (count < MOST && spent < BETA_SECONDS)) {
        repetition[count] = clock_time(c, takes_part, transfer, &t, 1);
        spent += repetition[count++].seconds;
    }
    free(t.data);
    timing_set(&timing, repetition, count);
    return timing.sound / TRANSFER;
}

/* ---- Start --------------------------------------------------------------------------------------------------------- */

/* The library has reported bad settings or rules. */
_Noreturn static void refuse(enum reason why)
{
    char where[PROBLEM_TEXT];
    if (why == REASON_BAD_SETTING || why == REASON_MISMATCH || why == REASON_BAD_RULES)
        job_end(STATUS_FAILED);
    if (why != REASON_DISABLED)
        job_stop(STATUS_FAILED, "no engine may serve: %s", reason_word(why));
    const char *remedy = settings_origin(&process.settings, "PLEACH_DISABLE", where, sizeof where);
    job_stop(STATUS_FAILED, "%sPLEACH_DISABLE=yes is set, so no engine may serve: %s", where, remedy);
}

void start_library(void)
{
    static const char no_start[] = "the library does not start with this MPI library";
    struct launched by;
    process.compares = true;
    bench_mpi.Init(NULL, NULL);
    if (!pmpi_find(bench_mpi.find))
        job_stop(STATUS_FAILED, no_start);
    pmpi_words(job.mpi, sizeof job.mpi);
    pmpi.Comm_rank(MPI_COMM_WORLD, &process.rank);
    say_nothing(process.rank != 0 || !is_speaker());
    job.comm = library_ready(MPI_COMM_WORLD) ? comm_of(MPI_COMM_WORLD, NULL, NULL) : NULL;
    if (!job.comm)
        job_stop(STATUS_FAILED, no_start);
    struct comm *c = job.comm;
    job.ranks = c->ranks;
    if (c->ranks == 1 && launched_by(&by) && atoi(by.ranks) > 1)
        job_stop(STATUS_USAGE, "--" BENCH_LIBRARY "=FILE takes another MPI library than that of %s", job.mpi);
    if (c->ranks == 1)
        job_stop(STATUS_USAGE, "there is only one rank: use mpiexec -n RANKS pleach ..., with two or more ranks");
    if (c->known.barred || process.settings.disable)
        refuse(c->known.barred ? c->known.barred : REASON_DISABLED);
    if (!nodes_settle(c) || comm_acquire(c, 0, 0))
        refuse(c->known.barred);
    double seconds;
    char why[SHARING_WHY] = "";
    if (c->known.machine.node_least > 1)
        sharing_make(c, &seconds, why);
    if (*why && c->rank == 0)
        say(SHARED_NO "%s", why);
}

void job_measure(void)
{
    struct measuring took;
    if (!measure_at_leisure(job.comm, &took))
        job_stop(STATUS_FAILED, "out of memory");
    record_measured(&job.comm->known.machine, took.seconds, took.late);
}

void start_job(void)
{
    struct comm *c = job.comm;
    if (c->known.machine.oversubscribed && !options.force)
        job_stop(STATUS_FAILED, "there are more ranks than usable cores on some node, so times would mean nothing; with "
                                "--force, tune and bench measure nevertheless");
    if (options.root >= c->ranks)
        job_stop(STATUS_USAGE, "--root %lld: there are only ranks 0 to %d", (long long)options.root, c->ranks - 1);
    interrupt_watch();
    clock_agree(c);
    if (!c->known.machine.oversubscribed)
        job_measure();
    c->known.fixed = true;                                      /* operations depend on the measured places */
    process.settings.dry_run = process.settings.verify = false; /* they would distort times */
    job.beta = measure_beta(c);
    clock_begin();
}
