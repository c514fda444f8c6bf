/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits: rank 0 works for a second of its processor's time, then makes a broadcast for which the other ranks wait. A rank
 * that waits so long must give its core up, of its own will, and may keep it busy for a part of the time only. Signals
 * arrive meanwhile, and errno must stay as it is. Prints "waits ok".
 */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

enum { LEAST = 10 }; /* times that a rank gives its core up; a rank that yields or spins does so hardly ever */

static long given_up(void)
{
    struct rusage r;
    getrusage(RUSAGE_THREAD, &r);
    return r.ru_nvcsw;
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double used(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void ignore(int signal)
{
    (void)signal;
}

static void set_timer(long microseconds)
{
    setitimer(ITIMER_REAL, &(struct itimerval){{0, microseconds}, {0, microseconds}}, NULL);
}

int main(int argc, char **argv)
{
    static double data[1000];
    const double work = 1; /* seconds of a core */
    long times, least;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Bcast(data, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double from = used();
    while (rank == 0 && used() - from < work)
        continue;
    const long before = given_up();
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = ignore, .sa_flags = SA_RESTART}, NULL);
    set_timer(200); /* so often that some signal interrupts the MPI library's progress */
    errno = EDOM;
    const double begin = used(), start = seconds(CLOCK_MONOTONIC);
    MPI_Bcast(data, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const int error = errno;
    const double busy = used() - begin, waited = seconds(CLOCK_MONOTONIC) - start;
    set_timer(0);
    times = error != EDOM ? -error : rank ? given_up() - before : LEAST;
    if (busy > 0.3 + 0.3 * waited) { /* it spins for 0.15 s at most, and looks around it now and then */
        printf("waits: rank %d was busy for %g of %g s\n", rank, busy, waited);
        times = 0;
    }
    MPI_Reduce(&times, &least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0 && least < LEAST)
        printf("waits: a rank gave its core up %ld times; if < 0: it left -errno\n", least);
    else if (rank == 0)
        puts("waits ok");
    MPI_Finalize();
    return 0;
}
