/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order: makes reductions by a user-defined operation that is not associative, so that each algorithm has a result of its
 * own. The numbers before FIRST are 0, as their differences are 0 in any order. For each collective and each rank it prints
 * a line with the element FIRST and a hash of all elements.
 *     order [LOOPS]    makes each call LOOPS times, by default once
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 30011, FIRST = 17, ROOT = 0 };

static int rank, ranks, in[COUNT], out[COUNT];

static void minus(void *a, void *b, int *count, MPI_Datatype *type)
{
    const int *left = a;
    int *right = b;
    (void)type;
    for (int i = 0; i < *count; i++)
        right[i] = left[i] - right[i];
}

static void print(const char *name)
{
    int64_t mine[2] = {out[FIRST], 0}, *all = malloc((size_t)ranks * sizeof mine);
    for (int i = 0; i < COUNT; i++)
        mine[1] = (int64_t)(((uint64_t)mine[1] ^ (uint32_t)out[i]) * 0x100000001b3u);
    MPI_Gather(mine, 2, MPI_INT64_T, all, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < ranks; r++)
        printf("%s on rank %d: %d, hash %016llx\n", name, r, (int)all[2 * r], (unsigned long long)all[2 * r + 1]);
    free(all);
    for (int i = 0; i < COUNT; i++)
        out[i] = -1;
}

/* Not inlined, as messages must name these functions. */
__attribute__((noinline)) static void reduce(MPI_Op op)
{
    MPI_Reduce(in, out, COUNT, MPI_INT, op, ROOT, MPI_COMM_WORLD);
    print("reduce");
}

__attribute__((noinline)) static void scan(MPI_Op op)
{
    MPI_Scan(in, out, COUNT, MPI_INT, op, MPI_COMM_WORLD);
    print("scan");
    for (int i = 0; i < COUNT; i++)
        out[i] = in[i];
    MPI_Scan(MPI_IN_PLACE, out, COUNT, MPI_INT, op, MPI_COMM_WORLD);
    print("scan in place");
}

__attribute__((noinline)) static void allreduce(MPI_Op op)
{
    MPI_Allreduce(in, out, COUNT, MPI_INT, op, MPI_COMM_WORLD);
    print("allreduce");
}

int main(int argc, char **argv)
{
    MPI_Op op;
    int loops = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = FIRST; i < COUNT; i++)
        in[i] = (rank + 1) * i;
    MPI_Op_create(minus, 0, &op);
    for (int i = 0; i < loops; i++) {
        reduce(op);
        scan(op);
        allreduce(op);
    }
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
