/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sites: ranks make the same collective call from different functions: even ranks reduce in even(), odd ranks in odd(). Then
 * all scan in both(). Checks the results and prints "sites ok". Ends by _exit(), as some programs do: the library must write
 * its records in MPI_Finalize.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 100003, LOOPS = 3 };

static int rank, ranks;
static long in[COUNT], out[COUNT];

/* Element i of rank r's input; and the sum of it over the ranks 0 .. last. */
static long input(int i, int r)
{
    return 3L * i + (long)r * r;
}

static long sum(int i, int last)
{
    long s = 0;
    for (int r = 0; r <= last; r++)
        s += input(i, r);
    return s;
}

static void expect(const char *what, int last)
{
    for (int i = 0; i < COUNT; i++)
        if (out[i] != sum(i, last)) {
            fprintf(stderr, "rank %d: %s: element %d is %ld, not %ld\n", rank, what, i, out[i], sum(i, last));
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

/*
 * Rules name these functions. So they are not inlined; none ends with its MPI call, which could be a tail call; and they
 * differ, or else the compiler might merge them.
 */
__attribute__((noinline)) static void even(int root)
{
    MPI_Reduce(in, out, COUNT, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root)
        expect("reduction in even()", ranks - 1);
}

__attribute__((noinline)) static void odd(int root)
{
    MPI_Reduce(in, out, COUNT, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root)
        expect("reduction in odd()", ranks - 1);
}

__attribute__((noinline)) static void both(void)
{
    MPI_Scan(in, out, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect("scan", rank);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < COUNT; i++)
        in[i] = input(i, rank);
    for (int loop = 0; loop < LOOPS; loop++) {
        if (rank % 2 == 0)
            even(loop % ranks);
        else
            odd(loop % ranks);
        both();
    }
    if (rank == 0)
        puts("sites ok");
    fflush(stdout); /* a launcher of another release than the library's may drop output after MPI_Finalize */
    MPI_Finalize();
#ifdef MPI_ABI_VERSION
    return 0; /* the standard ABI allows such a launcher, which may take _exit() for a crash */
#else
    _exit(0);
#endif
}
