/* SPDX-License-Identifier: BSD-2-Clause */
/* See bench_job.h. */
#include "bench_job.h"

#include "process.h"

#include <stdarg.h>
#include <stdlib.h>

struct bench_job job;
struct bench_mpi bench_mpi;

void bench_find(void *(*find)(const char *name))
{
    bench_mpi.find = find;
#define FIND(name) bench_mpi.name = (__typeof__(bench_mpi.name))find("PMPI_" #name);
    BENCH_FUNCTIONS(FIND)
#undef FIND
}

_Noreturn void job_end(int status)
{
    bench_mpi.Finalize();
    exit(status);
}

_Noreturn void job_stop(int status, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    cli_report(status, format, ap);
    va_end(ap);
    job_end(status);
}

int job_interrupted_status(void)
{
    return 128 + job.interrupted; /* as shells report a signal */
}

void job_check(const char *why)
{
    char all[512];
    snprintf(all, sizeof all, "%s", why);
    pmpi.Bcast(all, sizeof all, MPI_CHAR, 0, job.comm->channel.comm);
    if (all[0])
        job_stop(STATUS_FAILED, "%s", all);
}

_Noreturn void job_abort(const char *why)
{
    say_nothing(false);
    say("rank %d: %s", process.rank, why);
    abort_job();
    abort();
}

void *job_memory(void *old, int64_t count, size_t size)
{
    void *memory = reallocarray(old, (size_t)count, size);
    if (!memory)
        job_abort("out of memory");
    return memory;
}
