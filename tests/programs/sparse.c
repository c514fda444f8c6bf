/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse: reduces data that lie far apart. A few numbers span more than half of the machine's memory; nobody touches the
 * gaps between them.
 */
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NUMBERS = 64 };

static MPI_Aint stride; /* bytes from one number to the next */

static double *number(void *data, int i)
{
    return (double *)(void *)((char *)data + i * stride);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)count, (void)type; /* each call has one element */
    for (int i = 0; i < NUMBERS; i++)
        *number(inout, i) += *number(in, i);
}

/* The elements of the last call are single numbers. */
static void add_each(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        *number(inout, i) += *number(in, i);
}

/* All-reduces the numbers, and returns how many are wrong. */
static int reduced(void *in, void *out, int count, MPI_Datatype type, MPI_User_function *fold, int rank, int ranks)
{
    MPI_Op op;
    int wrong = 0;
    MPI_Type_commit(&type);
    MPI_Op_create(fold, 1, &op);
    for (int i = 0; i < NUMBERS; i++) {
        *number(in, i) = rank + i;
        *number(out, i) = -1;
    }
    MPI_Allreduce(in, out, count, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < NUMBERS; i++)
        wrong += *number(out, i) != ranks * (ranks - 1) / 2.0 + ranks * i;
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    return wrong;
}

static void *span_of(size_t bytes)
{
    void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return data == MAP_FAILED ? NULL : data;
}

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0;
    MPI_Datatype vector, single;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    stride = (MPI_Aint)(0.6 * memory / NUMBERS) / 4096 * 4096;
    void *in = span_of((size_t)(NUMBERS * stride)), *out = span_of((size_t)(NUMBERS * stride));
    if (!in || !out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_create_hvector(NUMBERS, 1, stride, MPI_DOUBLE, &vector);
    MPI_Type_create_resized(MPI_DOUBLE, 0, stride, &single);
    wrong += reduced(in, out, 1, vector, add, rank, ranks);
    wrong += reduced(in, out, NUMBERS, single, add_each, rank, ranks);
    printf(wrong ? "sparse: %d numbers are wrong\n" : "sparse ok\n", wrong);
    MPI_Finalize();
    return wrong > 0;
}
