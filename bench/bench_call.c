/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The price of being intercepted: nanoseconds for a collective call of 8 bytes, which never takes an engine, through MPI_X
 * and through PMPI_X in turn, in one run. Under Pleach the difference is what every small call of an application pays;
 * without it, the noise. On one rank the call itself is next to nothing, which shows the bare price.
 */
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 20000, REPEAT = 15 };

static double in = 1, out;

#define BOTH(prefix)                                                                                                        \
    static void prefix##bcast(void)                                                                                         \
    {                                                                                                                       \
        prefix##MPI_Bcast(&out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);                                                          \
    }                                                                                                                       \
    static void prefix##reduce(void)                                                                                        \
    {                                                                                                                       \
        prefix##MPI_Reduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);                                           \
    }                                                                                                                       \
    static void prefix##scan(void)                                                                                          \
    {                                                                                                                       \
        prefix##MPI_Scan(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                                \
    }                                                                                                                       \
    static void prefix##exscan(void)                                                                                        \
    {                                                                                                                       \
        prefix##MPI_Exscan(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                              \
    }                                                                                                                       \
    static void prefix##allreduce(void)                                                                                     \
    {                                                                                                                       \
        prefix##MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                           \
    }

BOTH()
BOTH(P)

static const struct {
    const char *name;
    void (*intercepted)(void), (*native)(void);
} calls[] = {{"bcast", bcast, Pbcast},
             {"reduce", reduce, Preduce},
             {"scan", scan, Pscan},
             {"exscan", exscan, Pexscan},
             {"allreduce", allreduce, Pallreduce}};

static double nanoseconds(void (*call)(void))
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double t = PMPI_Wtime();
    for (int i = 0; i < CALLS; i++)
        call();
    return (PMPI_Wtime() - t) / CALLS * 1e9;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        printf("%-10s %6s %12s %12s %12s\n", "collective", "ranks", "PMPI ns", "MPI ns", "difference");
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        double native = 1e18, intercepted = 1e18; /* the least of many: the others were disturbed */
        for (int k = 0; k < REPEAT; k++) {
            double t = nanoseconds(calls[i].native);
            native = t < native ? t : native;
            t = nanoseconds(calls[i].intercepted);
            intercepted = t < intercepted ? t : intercepted;
        }
        if (rank == 0)
            printf("%-10s %6d %12.1f %12.1f %12.1f\n", calls[i].name, ranks, native, intercepted, intercepted - native);
    }
    MPI_Finalize();
    return 0;
}
