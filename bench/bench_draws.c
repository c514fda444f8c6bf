/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_draws DRAWS..: times one-sided operations on a rank that waits. Rank 0 has a counter and waits in a collective call.
 * Another rank, the last one, draws so many numbers from that counter, and then makes the call, too. All other ranks wait
 * in the call like rank 0. The call is native (PMPI_) or the program's (MPI_), by turns. Preload Pleach. Prints the
 * microseconds of a draw: medians over several calls.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 9, COUNT = 4096, FIRST = 300 }; /* calls of each sort; numbers in a call; calls until ranks share memory */

static double in[COUNT], out[COUNT];
static int last;

typedef void call(void);

#define CALLS(P, p)                                                                                                         \
    static void p##bcast(void)                                                                                              \
    {                                                                                                                       \
        P##MPI_Bcast(out, COUNT, MPI_DOUBLE, last, MPI_COMM_WORLD);                                                         \
    }                                                                                                                       \
    static void p##reduce(void)                                                                                             \
    {                                                                                                                       \
        P##MPI_Reduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);                                              \
    }                                                                                                                       \
    static void p##allreduce(void)                                                                                          \
    {                                                                                                                       \
        P##MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                              \
    }
CALLS(P, native_)
CALLS(, program_)

static const struct {
    const char *name;
    call *by[2]; /* native, of the program */
} rows[] = {
    {"bcast", {native_bcast, program_bcast}},
    {"reduce", {native_reduce, program_reduce}},
    {"allreduce", {native_allreduce, program_allreduce}},
};

/* Returns the seconds of a draw on the last rank; 0 on the others. */
static double time_draws(call *by, int draws, int rank, MPI_Win window)
{
    static const int one = 1;
    double t = 0;
    int drawn;
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == last) {
        t = PMPI_Wtime();
        for (int i = 0; i < draws; i++) {
            MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_SUM, window);
            MPI_Win_flush(0, window);
        }
        t = (PMPI_Wtime() - t) / draws;
    }
    by();
    return t;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
    static int counter;
    int rank, ranks;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    last = ranks - 1;
    MPI_Win_create(&counter, rank == 0 ? sizeof counter : 0, sizeof counter, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    if (rank == last)
        puts("collective\tdraws\tnative_us\tpleach_us");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int i = 1; i < argc; i++) {
            double seconds[2][TURNS];
            for (int k = 0; i == 1 && k < FIRST; k++)
                rows[r].by[1]();
            for (int turn = 0; turn < TURNS; turn++)
                for (int k = 0; k < 2; k++)
                    seconds[k][turn] = time_draws(rows[r].by[k], atoi(argv[i]), rank, window);
            for (int k = 0; k < 2; k++)
                qsort(seconds[k], TURNS, sizeof seconds[k][0], compare);
            if (rank == last)
                printf("%s\t%s\t%.2f\t%.2f\n", rows[r].name, argv[i], 1e6 * seconds[0][TURNS / 2],
                       1e6 * seconds[1][TURNS / 2]);
        }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
