/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures exact sums: the time of all-reduces of doubles with PLEACH_SUMS=exact, and of as many integers of 64 bits, which
 * are served as usual. The two take turns, and the fastest of many calls counts: the others were disturbed. Start it on
 * several ranks under pleach run.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 20, ROUNDS = 100 };

static double in[MOST], out[MOST];
static int64_t integers[MOST], sums[MOST];

/* Returns the seconds of one of `calls` all-reduces. */
static double seconds(int exact, int count, int calls)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < calls; i++)
        if (exact)
            MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(integers, sums, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return (MPI_Wtime() - start) / calls;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    srand((unsigned)rank + 1);
    for (int i = 0; i < MOST; i++) {
        integers[i] = rand();
        in[i] = ((rand() + rand() / (RAND_MAX + 1.0)) / (RAND_MAX + 1.0) - 0.5) * (1 << rand() % 12); /* two digits */
    }
    if (rank == 0)
        printf("bytes\tintegers_us\texact_us\n");
    for (int count = 1; count <= MOST; count *= 4) {
        const int calls = count < 2048 ? 100 : 1;
        double best[2] = {1, 1};
        for (int round = 0; round < ROUNDS; round++)
            for (int exact = 0; exact < 2; exact++) {
                const double s = seconds(exact, count, calls);
                best[exact] = s < best[exact] ? s : best[exact];
            }
        if (rank == 0)
            printf("%d\t%.3f\t%.3f\n", count * 8, best[0] * 1e6, best[1] * 1e6);
    }
    MPI_Finalize();
    return 0;
}
