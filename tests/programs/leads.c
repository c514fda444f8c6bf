/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leads FILE: while rank 1 does not come, rank 0 must leave at least as many short broadcasts and reductions to rank 1
 * as natively, and at least some. Further ranks come with rank 0. First rank 0 makes native calls (PMPI_), and rank 1
 * comes when it has not seen more of them for some time. If the machine is busy, it sees too few, and the test asks for
 * less. Then rank 0 makes so many calls, and rank 1 comes after the last one. FILE: a name for a file that the ranks
 * share; rank 1 waits without MPI.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SHORT = 8 << 10, SHORT_LEAST = 64, LEAST = 8, MOST = 128, LONGEST = 64 << 10 }; /* bytes; calls; bytes */
enum { SIZES = 7 };
static const int sizes[SIZES] = {8, 512, 2 << 10, 4 << 10, SHORT, 16 << 10, LONGEST};
enum { LOOK = 1000, STILL = 200, HANGS = 120000 }; /* microseconds from look to look; looks without another call */

static _Atomic int *shared; /* calls that rank 0 has left, and calls that it must make */
static double in[LONGEST / sizeof(double)], out[LONGEST / sizeof(double)];

static void call(int reduces, int native, int count)
{
    if (reduces)
        (native ? PMPI_Reduce : MPI_Reduce)(in, out, count, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
    else
        (native ? PMPI_Bcast : MPI_Bcast)(in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Waits until rank 0 has left `calls` calls, or no more for so many looks. Returns how many it has left. */
static int watch(int calls, int looks)
{
    int seen = -1;
    for (int still = 0; still < looks && seen < calls; still++) {
        const int now = shared[0];
        if (now != seen)
            still = 0;
        seen = now;
        usleep(LOOK);
    }
    return seen;
}

/* All ranks make the calls, rank 1 later. Returns the calls that rank 0 has left before, on rank 1. */
static int lead(int rank, int reduces, int native, int count, int calls)
{
    shared[0] = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    const int seen = rank == 1 ? watch(calls, native ? STILL : HANGS) : 0;
    for (int i = 0; i < calls; i++) {
        call(reduces, native, count);
        if (rank == 0)
            shared[0]++;
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    return seen;
}

/* The calls that rank 0 must leave. In a large reduction among several ranks, each fills as much memory as a root would. */
static int least_of(int ranks, int reduces, int bytes)
{
    return (bytes <= SHORT ? SHORT_LEAST : LEAST) / (ranks > 2 && reduces && bytes >= SHORT ? 2 : 1);
}

static int check(int rank, int ranks, int reduces, int bytes)
{
    const int count = bytes / (int)sizeof(double), least = least_of(ranks, reduces, bytes);
    for (int i = 0; i < 2; i++) /* the ranks agree on settings, and come to share memory */
        call(reduces, 0, count);
    const int natively = lead(rank, reduces, 1, count, MOST);
    if (rank == 1)
        shared[1] = bytes < SHORT && natively > least ? natively : least;
    PMPI_Barrier(MPI_COMM_WORLD);
    const int goal = shared[1], seen = lead(rank, reduces, 0, count, goal);
    if (rank == 1)
        printf("%s of %d bytes: %d calls ahead natively, %d of %d with Pleach\n", reduces ? "reductions" : "broadcasts",
               bytes, natively, seen, goal);
    return rank == 1 && seen < goal;
}

int main(int argc, char **argv)
{
    int rank, ranks, failed = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int file = open(argv[1], O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *shared * 2) != 0)
        return 2;
    shared = mmap(NULL, sizeof *shared * 2, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED)
        return 2;
    for (int reduces = 0; reduces < 2; reduces++)
        for (int i = 0; i < SIZES; i++)
            failed |= check(rank, ranks, reduces, sizes[i]);
    if (rank == 1)
        puts(failed ? "leads failed" : "leads ok");
    MPI_Finalize();
    return failed;
}
