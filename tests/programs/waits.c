/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits: rank 0 works for half a second of its processor's time, then makes a broadcast for which the other ranks wait. Such
 * a wait must cost less than half as much of a processor. Prints "waits ok".
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    static double data[1000];
    const double work = 0.5;
    double mine, most;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Bcast(data, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double from = used();
    while (rank == 0 && used() - from < work)
        continue;
    MPI_Bcast(data, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    mine = rank ? used() - from : 0;
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && most > work / 2)
        printf("waits: a rank that waits used %.3f s of its processor\n", most);
    else if (rank == 0)
        puts("waits ok");
    MPI_Finalize();
    return 0;
}
