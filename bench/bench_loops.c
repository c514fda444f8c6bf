/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_loops BYTES..: times loops of equal calls, sums of doubles: native calls (PMPI_) and those of the program (MPI_), by
 * turns. Preload Pleach. Between two calls of a loop, ranks do not wait for each other, as `pleach bench` makes them do.
 * So this also tells how ranks get on that have to share cores. Prints the microseconds of a call: medians over loops of the
 * slowest rank's time.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 5, MOST = 40000, FIRST = 300 }; /* loops of each sort; calls of a loop; calls until ranks share memory */
static const double LOOP = 0.1;               /* seconds of a loop, more or less */

static double *in, *out;

typedef void call(int count);

#define CALLS(P, p)                                                                                                         \
    static void p##bcast(int n)                                                                                             \
    {                                                                                                                       \
        P##MPI_Bcast(out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);                                                                \
    }                                                                                                                       \
    static void p##reduce(int n)                                                                                            \
    {                                                                                                                       \
        P##MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);                                                  \
    }                                                                                                                       \
    static void p##allreduce(int n)                                                                                         \
    {                                                                                                                       \
        P##MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                                  \
    }                                                                                                                       \
    static void p##scan(int n)                                                                                              \
    {                                                                                                                       \
        P##MPI_Scan(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                                       \
    }                                                                                                                       \
    static void p##exscan(int n)                                                                                            \
    {                                                                                                                       \
        P##MPI_Exscan(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                                     \
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
    {"scan", {native_scan, program_scan}},
    {"exscan", {native_exscan, program_exscan}},
};

/* Waits for all ranks. A rank that waits sleeps, as it would otherwise take the core from ranks that still work. */
static void meet(void)
{
    static const struct timespec nap = {.tv_nsec = 100000};
    MPI_Request r;
    int done = 0;
    PMPI_Ibarrier(MPI_COMM_WORLD, &r);
    while (PMPI_Test(&r, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        nanosleep(&nap, NULL);
}

static double loop(call *by, int count, int calls)
{
    meet();
    double t = PMPI_Wtime();
    for (int i = 0; i < calls; i++)
        by(count);
    t = (PMPI_Wtime() - t) / calls;
    meet();
    PMPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return t;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/*
 * Returns how many calls a loop is to have; all ranks get the same. In a short loop, the time until the last rank awakes
 * from meet() outweighs the calls. So loops are timed with more and more calls, until one takes a quarter of LOOP. The first
 * loop does not count: its calls may measure the machine.
 */
static int calls_of_loop(call *by, int count)
{
    int calls = 3;
    loop(by, count, calls);
    double t = loop(by, count, calls);
    for (; t * calls < LOOP / 4 && calls < MOST; t = loop(by, count, calls))
        calls = 4 * calls < MOST ? 4 * calls : MOST;
    const double most = LOOP / t;
    return most > MOST ? MOST : most < 3 ? 3 : (int)most;
}

static void time_both(call *const by[2], int count, double median[2])
{
    double seconds[2][TURNS];
    int calls[2];
    for (int k = 0; k < 2; k++)
        calls[k] = calls_of_loop(by[k], count);
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < 2; k++)
            seconds[k][turn] = loop(by[k], count, calls[k]);
    for (int k = 0; k < 2; k++) {
        qsort(seconds[k], TURNS, sizeof seconds[k][0], compare);
        median[k] = seconds[k][TURNS / 2];
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        puts("collective\tbytes\tnative_us\tpleach_us");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int i = 1; i < argc; i++) {
            const int bytes = atoi(argv[i]), count = bytes / (int)sizeof *in;
            double us[2];
            in = calloc((size_t)count, sizeof *in);
            out = calloc((size_t)count, sizeof *out);
            if (!in || !out || count == 0)
                MPI_Abort(MPI_COMM_WORLD, 1);
            for (int k = 0; i == 1 && k < FIRST; k++)
                rows[r].by[1](count);
            time_both(rows[r].by, count, us);
            if (rank == 0)
                printf("%s\t%d\t%.2f\t%.2f\n", rows[r].name, bytes, 1e6 * us[0], 1e6 * us[1]);
            free(in);
            free(out);
        }
    MPI_Finalize();
    return 0;
}
