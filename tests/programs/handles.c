/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handles: MPI gives the handle of a freed datatype to a new one. The same arguments then mean another call: the blocks of a
 * broadcast and the elements of reductions lie elsewhere.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = 4096, TYPES = 6 };

static int in[2 * NUMBERS], out[2 * NUMBERS];
static int wrong, reused;

/* Half of 2*NUMBERS ints: takes `run` ints, skips `run` ints, and so on. All these types have the same signature. */
static MPI_Datatype type_of(int run)
{
    MPI_Datatype type;
    MPI_Type_vector(NUMBERS / run, run, 2 * run, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

static int is_data(int i, int run)
{
    return i / run % 2 == 0;
}

static void sum(void *a, void *b, int *count, MPI_Datatype *type)
{
    MPI_Aint low, extent;
    MPI_Type_get_true_extent(*type, &low, &extent);
    const int *x = a;
    int *y = b, n = (int)(extent / (MPI_Aint)sizeof(int));
    for (int i = 0; i < n && *count == 1; i++)
        y[i] += x[i];
}

static void try(MPI_Datatype type, int run, MPI_Op op, int rank, int ranks)
{
    for (int i = 0; i < 2 * NUMBERS; i++)
        in[i] = rank == 0 ? i : -1;
    MPI_Bcast(in, 1, type, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * NUMBERS; i++)
        wrong += in[i] != (rank == 0 || is_data(i, run) ? i : -1);

    for (int i = 0; i < 2 * NUMBERS; i++)
        in[i] = rank + i;
    memset(out, 0, sizeof out);
    MPI_Reduce(in, out, 1, type, op, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * NUMBERS && rank == 0; i++)
        wrong += is_data(i, run) && out[i] != ranks * i + ranks * (ranks - 1) / 2;

    MPI_Allreduce(MPI_IN_PLACE, in, 1, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * NUMBERS; i++)
        wrong += is_data(i, run) && in[i] != ranks * i + ranks * (ranks - 1) / 2;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Op op;
    MPI_Datatype before[TYPES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Op_create(sum, 1, &op);
    for (int k = 0; k < TYPES; k++) {
        int run = 1 << k;
        MPI_Datatype type = type_of(run);
        for (int i = 0; i < k; i++)
            reused += type == before[i];
        before[k] = type;
        for (int again = 0; again < 4; again++)
            try(type, run, op, rank, ranks);
        MPI_Type_free(&type);
    }
    MPI_Op_free(&op);
    if (wrong || !reused)
        printf("handles failed: %d wrong, %d handles came again\n", wrong, reused);
    else if (rank == 0)
        puts("handles ok");
    MPI_Finalize();
    return wrong || !reused;
}
