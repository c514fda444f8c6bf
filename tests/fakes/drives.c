/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload behind libpleach.so. It counts, on each rank, how often Pleach drives the MPI library, by a probe or
 * by a test whether a message has left, and how often Pleach rests: yields or sleeps. A program finds the counts by dlsym().
 * A probe changes errno, as it may if a signal interrupts it. Build: cc -shared -fPIC -o drives.so drives.c
 */
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

atomic_long drives_made, drives_rests;

#define REAL(name)                                                                                                          \
    static __typeof__(&(name)) real;                                                                                        \
    if (!real && !(*(void **)&real = dlsym(RTLD_NEXT, #name)))                                                              \
    abort()

/* Is the caller Pleach? MPI libraries yield, too. */
static int by_pleach(void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && strstr(info.dli_fname, "libpleach");
}

int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
    REAL(PMPI_Iprobe);
    drives_made++;
    const int error = real(from, tag, comm, there, status);
    errno = EINTR;
    return error;
}

int PMPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    REAL(PMPI_Test);
    drives_made++;
    return real(request, done, status);
}

int sched_yield(void)
{
    REAL(sched_yield);
    drives_rests += by_pleach(__builtin_return_address(0));
    return real();
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    REAL(clock_nanosleep);
    drives_rests += by_pleach(__builtin_return_address(0));
    return real(clock, flags, t, left);
}
