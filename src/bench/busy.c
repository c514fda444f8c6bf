/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other work: the time for which usable cores of a machine were busy, less the ranks' processor time, in all containers. A
 * machine whose kernel does not tell is not named.
 */
#include "busy.h"

#include "clocks.h"
#include "estimate.h"
#include "bench_job.h"
#include "seconds.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PAUSE 0.25 /* seconds */

static struct {
    double at;
    double mine;  /* processor seconds of this rank */
    double cores; /* busy seconds of usable cores; < 0: unknown */
} start;

static cpu_set_t usable; /* for the ranks under this kernel */

/* Since `start`. All ranks of a kernel have its usable cores. */
struct account {
    uint64_t kernel;
    double elapsed, mine, cores;
    int usable;
    char host[64];
};

/* An unknown kernel counts alone. */
static uint64_t kernel(void)
{
    uint64_t number = clocks_kernel();
    return number ? number : (uint64_t)job.comm->rank;
}

static double seconds_used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of_cores(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = fopen("/proc/stat", "re");
    bool told = f && getdelim(&text, &size, 0, f) > 0;
    double ticks = told ? load_ticks(text, &usable) : -1;
    if (f)
        fclose(f);
    free(text);
    return ticks < 0 ? -1 : ticks / (double)sysconf(_SC_CLK_TCK);
}

static void find_usable(void)
{
    struct {
        uint64_t kernel;
        cpu_set_t cores;
    } mine = {kernel(), {{0}}}, *all = job_memory(NULL, job.ranks, sizeof *all);
    if (sched_getaffinity(0, sizeof mine.cores, &mine.cores) != 0)
        CPU_ZERO(&mine.cores);
    pmpi.Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, job.comm->channel.comm);
    for (int r = 0; r < job.ranks; r++)
        if (all[r].kernel == mine.kernel)
            CPU_OR(&usable, &usable, &all[r].cores);
    free(all);
}

static bool say_busiest(const struct account *all, const char *is)
{
    const struct account *busiest = NULL;
    double most = 0;
    int busy = 0;
    for (int first = 0; first < job.ranks; first++) {
        double other = all[first].cores;
        bool again = false;
        for (int r = 0; r < job.ranks; r++)
            if (all[r].kernel == all[first].kernel) {
                again |= r < first;
                other -= all[r].mine;
            }
        other /= all[first].elapsed;
        if (again || all[first].cores < 0 || !load_disturbs(other, all[first].usable))
            continue;
        busy++;
        if (other > most) {
            most = other;
            busiest = &all[first];
        }
    }
    if (busiest && busy == 1)
        say("host %s %s busy with other work (%.1f of %d cores); times are noisy", busiest->host, is, most, busiest->usable);
    else if (busiest)
        say("host %s %s busy with other work (%.1f of %d cores); more such hosts: %d; times are noisy", busiest->host, is,
            most, busiest->usable, busy - 1);
    return busiest != NULL;
}

static bool gather_accounts(const char *is)
{
    double cores = seconds_of_cores();
    struct account mine = {.kernel = kernel(),
                           .elapsed = seconds_now() - start.at,
                           .mine = seconds_used() - start.mine,
                           .cores = start.cores < 0 || cores < 0 ? -1 : cores - start.cores,
                           .usable = CPU_COUNT(&usable)},
                   *all = job_memory(NULL, job.ranks, sizeof *all);
    gethostname(mine.host, sizeof mine.host - 1);
    pmpi.Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, job.comm->channel.comm);
    const bool busy = say_busiest(all, is);
    free(all);
    return busy;
}

bool busy_pause(void)
{
    find_usable();
    bench_mpi.Barrier(job.comm->channel.comm);
    start.at = seconds_now();
    start.mine = seconds_used();
    start.cores = seconds_of_cores();
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * PAUSE)}, NULL);
    return gather_accounts("is");
}

bool busy_since(void)
{
    return gather_accounts("was");
}
