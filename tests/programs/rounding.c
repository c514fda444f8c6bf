/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rounding: after a first call, one rank rounds upwards. Its calls must still match those of the other ranks, also where the
 * model predicts equal times for two numbers of blocks. Prints "rounding ok".
 */
#include <fenv.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOST = 200000 };

static double in[MOST], out[MOST];
static int rank, ranks, wrong;

static void add(void *a, void *b, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((double *)b)[i] += ((double *)a)[i];
}

/* Counts the elements of `out` that are not `sum`, if this rank has a result. */
static void expect(int count, bool has, double sum)
{
    for (int i = 0; i < count && has; i++)
        wrong += out[i] != sum;
}

static void call(int count, MPI_Op op, int root)
{
    MPI_Reduce(in, out, count, MPI_DOUBLE, op, root, MPI_COMM_WORLD);
    expect(count, rank == root, ranks);
    MPI_Scan(in, out, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    expect(count, true, rank + 1);
    MPI_Exscan(in, out, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    expect(count, rank > 0, rank);
    MPI_Allreduce(in, out, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    expect(count, true, ranks);
    MPI_Bcast(out, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    expect(count, true, ranks);
}

int main(int argc, char **argv)
{
    MPI_Op own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Op_create(add, 1, &own);
    for (int i = 0; i < MOST; i++)
        in[i] = 1;
    call(1, MPI_SUM, 0);
    if (rank == 1)
        fesetround(FE_UPWARD);
    for (int count = 65000; count <= MOST; count += 15000)
        for (int root = 0; root < 2; root++) {
            call(count, MPI_SUM, root);
            call(count, own, root);
        }
    call(196875, own, 1);
    wrong += rank == 1 && fegetround() != FE_UPWARD;
    MPI_Op_free(&own);
    if (wrong)
        printf("rounding failed: %d wrong\n", wrong);
    else if (rank == 0)
        puts("rounding ok");
    MPI_Finalize();
    return wrong > 0;
}
