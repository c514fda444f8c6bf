/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * whole: uses an operation that needs all elements of a call at once, which MPI does not promise. Fails if the operation
 * gets fewer elements.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 50021 };

static int parts; /* times that the operation got fewer elements */

/* Adds 1 as well, so that the result shows how often the operation ran. */
static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *a = in;
    int *b = inout;
    (void)type;
    parts += *count != COUNT;
    for (int i = 0; i < *count; i++)
        b[i] += a[i] + 1;
}

static int data[COUNT], result[COUNT];

static void check(int rank, const char *what, int want)
{
    if (want >= 0 && (result[0] != want || result[COUNT - 1] != want)) {
        fprintf(stderr, "whole: %s on rank %d: %d, instead of %d\n", what, rank, result[0], want);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* The result over the ranks first .. last, each of which has its number in all elements. */
static int sum(int first, int last)
{
    return (first + last) * (last - first + 1) / 2 + last - first;
}

int main(int argc, char **argv)
{
    int rank, ranks, all = 0;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Op_create(add, 0, &op);
    for (int i = 0; i < COUNT; i++)
        data[i] = rank;
    for (int root = 0; root < ranks; root++) {
        MPI_Reduce(data, result, COUNT, MPI_INT, op, root, MPI_COMM_WORLD);
        check(rank, "reduce", rank == root ? sum(0, ranks - 1) : -1);
    }
    MPI_Scan(data, result, COUNT, MPI_INT, op, MPI_COMM_WORLD);
    check(rank, "scan", sum(0, rank));
    MPI_Exscan(data, result, COUNT, MPI_INT, op, MPI_COMM_WORLD);
    check(rank, "exscan", rank > 0 ? sum(0, rank - 1) : -1);
    MPI_Allreduce(data, result, COUNT, MPI_INT, op, MPI_COMM_WORLD);
    check(rank, "allreduce", sum(0, ranks - 1));
    MPI_Op_free(&op);

    int part[ranks];
    MPI_Allgather(&parts, 1, MPI_INT, part, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++)
        all += part[r];
    if (rank == 0)
        puts(all ? "whole: an operation got a part of the elements" : "whole ok");
    MPI_Finalize();
    return all != 0;
}
