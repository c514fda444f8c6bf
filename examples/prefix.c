/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prefix: where does each rank's share of a sorted table begin?
 *
 * This is an ordinary MPI program, which knows nothing of Pleach. As in a parallel radix sort, each rank has counted its
 * items in many bins. Prefix sums over the ranks give the rank the positions where its items of each bin begin and end. A
 * reduction gives the size of each bin, and a broadcast sends these sizes to all ranks.
 *
 * The program repeats this with growing numbers of bins and checks the results. Rank 0 prints how long each call took, in
 * lines of the form "call bytes microseconds".
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 15, MOST = 1 << 21 };

static int64_t *counts, *begins, *ends, *totals;

static void find_begins(int bins)
{
    MPI_Exscan(counts, begins, bins, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void find_ends(int bins)
{
    MPI_Scan(counts, ends, bins, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void find_totals(int bins)
{
    MPI_Reduce(counts, totals, bins, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void spread_totals(int bins)
{
    MPI_Bcast(totals, bins, MPI_INT64_T, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *call;
    void (*perform)(int bins);
} steps[] = {
    {"MPI_Exscan", find_begins}, {"MPI_Scan", find_ends}, {"MPI_Reduce", find_totals}, {"MPI_Bcast", spread_totals}};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Each repeat takes as long as its slowest rank. Returns the median of the repeats' times, in seconds. */
static double measure(void (*perform)(int bins), int bins)
{
    double seconds[REPEATS], slowest[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        perform(bins);
        seconds[i] = MPI_Wtime() - start;
    }
    MPI_Allreduce(seconds, slowest, REPEATS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    qsort(slowest, REPEATS, sizeof slowest[0], by_value);
    return slowest[REPEATS / 2];
}

static int right(int bins, int rank, int ranks)
{
    for (int i = 0; i < bins; i++)
        if (ends[i] != begins[i] + counts[i] || (rank == ranks - 1 && ends[i] != totals[i]))
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    counts = calloc(MOST, sizeof *counts);
    begins = calloc(MOST, sizeof *begins); /* MPI_Exscan leaves rank 0's result at 0 */
    ends = calloc(MOST, sizeof *ends);
    totals = calloc(MOST, sizeof *totals);
    if (!counts || !begins || !ends || !totals)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < MOST; i++)
        counts[i] = (i * 7 + rank) % 13;

    for (int bins = 1 << 12; bins <= MOST; bins *= 8) {
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            double seconds = measure(steps[i].perform, bins);
            if (rank == 0)
                printf("%s\t%zu\t%.1f\n", steps[i].call, bins * sizeof *counts, seconds * 1e6);
        }
        if (!right(bins, rank, ranks)) {
            fprintf(stderr, "rank %d: wrong results with %d bins\n", rank, bins);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    free(counts);
    free(begins);
    free(ends);
    free(totals);
    MPI_Finalize();
    return 0;
}
