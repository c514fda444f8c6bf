/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * five: makes large calls of the five collectives with every root and checks the results. Prints "five ok".
 *
 *     five [ELEMENTS [LOOPS]]      default: 100003 long integers, once
 */
#include "expect.h"

#include <stdlib.h>

static int elements = 100003;
static long *in, *out;

/* Element i of rank r's input; and the sum of it over the ranks first .. last. */
static long input(int i, int r)
{
    return 3L * i + (long)r * r;
}

static long sum(int i, int first, int last)
{
    long s = 0;
    for (int r = first; r <= last; r++)
        s += input(i, r);
    return s;
}

/* Not inlined, as records must name these functions. */
__attribute__((noinline)) static void rooted(int root)
{
    for (int i = 0; i < elements; i++)
        out[i] = rank == root ? 7L * i + root : -1;
    MPI_Bcast(out, elements, MPI_LONG, root, MPI_COMM_WORLD);
    for (int i = 0; i < elements; i++)
        expect("broadcast", out[i], 7L * i + root);
    MPI_Reduce(in, out, elements, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
    for (int i = 0; i < elements; i++)
        expect("reduction", out[i], rank == root ? sum(i, 0, ranks - 1) : 7L * i + root);
}

__attribute__((noinline)) static void scans(void)
{
    MPI_Scan(in, out, elements, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < elements; i++)
        expect("scan", out[i], sum(i, 0, rank));
    for (int i = 0; i < elements; i++)
        out[i] = -1;
    MPI_Exscan(in, out, elements, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < elements; i++)
        expect("exscan", out[i], rank ? sum(i, 0, rank - 1) : -1);
}

__attribute__((noinline)) static void everywhere(void)
{
    MPI_Allreduce(in, out, elements, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < elements; i++)
        expect("allreduce", out[i], sum(i, 0, ranks - 1));
}

int main(int argc, char **argv)
{
    int loops = 1;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    if (argc > 1)
        elements = atoi(argv[1]);
    if (argc > 2)
        loops = atoi(argv[2]);
    in = malloc((size_t)elements * sizeof *in);
    out = malloc((size_t)elements * sizeof *out);
    if (!in || !out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < elements; i++)
        in[i] = input(i, rank);
    for (int loop = 0; loop < loops; loop++) {
        for (int root = 0; root < ranks; root++)
            rooted(root);
        scans();
        everywhere();
    }
    free(in);
    free(out);
    return end("five");
}
