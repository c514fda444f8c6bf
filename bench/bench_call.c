/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the time that interception takes: nanoseconds of a collective call of 8 bytes, which no engine serves, through
 * MPI_X and through PMPI_X by turns. With Pleach, the difference is the time that Pleach adds to each small call of an
 * application; without Pleach, it is noise. On one rank the native call itself takes almost no time.
 */
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 20000, REPEAT = 15, COMMS = 64 };

static double in = 1, out;
static MPI_Datatype pair;    /* a derived datatype */
static MPI_Comm comm[COMMS]; /* duplicates of MPI_COMM_WORLD */
static int turn;

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
    }                                                                                                                       \
    static void prefix##derived(void)                                                                                       \
    {                                                                                                                       \
        prefix##MPI_Bcast(&out, 1, pair, 0, MPI_COMM_WORLD);                                                                \
    }                                                                                                                       \
    static void prefix##turns(void)                                                                                         \
    {                                                                                                                       \
        prefix##MPI_Bcast(&out, 1, MPI_DOUBLE, 0, comm[turn++ % COMMS]);                                                    \
    }

BOTH()
BOTH(P)

static const struct {
    const char *name;
    void (*intercepted)(void), (*native)(void);
} calls[] = {
    {"bcast", bcast, Pbcast},
    {"reduce", reduce, Preduce},
    {"scan", scan, Pscan},
    {"exscan", exscan, Pexscan},
    {"allreduce", allreduce, Pallreduce},
    /* Broadcasts: with a derived datatype, and on many communicators. */
    {"datatype", derived, Pderived},
    {"turns", turns, Pturns},
};

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
    MPI_Type_contiguous(2, MPI_FLOAT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    if (rank == 0)
        printf("%-10s %6s %12s %12s %12s\n", "collective", "ranks", "PMPI ns", "MPI ns", "difference");
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        double native = 1e18, intercepted = 1e18; /* the least times count: longer ones were disturbed */
        for (int k = 0; k < REPEAT; k++) {
            double t = nanoseconds(calls[i].native);
            native = t < native ? t : native;
            t = nanoseconds(calls[i].intercepted);
            intercepted = t < intercepted ? t : intercepted;
        }
        if (rank == 0)
            printf("%-10s %6d %12.1f %12.1f %12.1f\n", calls[i].name, ranks, native, intercepted, intercepted - native);
    }
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comm[i]);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
