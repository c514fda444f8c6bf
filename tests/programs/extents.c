/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * extents: makes scans and all-reduces of growing messages. The ranks' datatypes have the same signature but different gaps,
 * so that ranks need different amounts of scratch memory.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int stride; /* doubles from one element to the next */

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i * stride] += a[i * stride];
}

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0;
    MPI_Op op;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    stride = 1 + 2 * rank;
    MPI_Op_create(add, 1, &op);
    MPI_Type_create_resized(MPI_DOUBLE, 0, (MPI_Aint)sizeof(double) * stride, &type);
    MPI_Type_commit(&type);
    for (int count = 100; count < 40000; count += count / 5) {
        double *in = calloc((size_t)(count * stride), sizeof *in), *out = calloc((size_t)(count * stride), sizeof *out);
        for (int i = 0; i < count; i++)
            in[i * stride] = i + rank;
        MPI_Scan(in, out, count, type, op, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            wrong += out[i * stride] != (rank + 1) * i + rank * (rank + 1) / 2;
        MPI_Allreduce(in, out, count, type, op, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            wrong += out[i * stride] != ranks * i + ranks * (ranks - 1) / 2;
        free(in);
        free(out);
    }
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        puts(wrong ? "extents wrong" : "extents ok");
    MPI_Finalize();
    return wrong != 0;
}
