/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nodes [world]: the ranks of each node make sums of 1000 doubles on a communicator of their own, then a broadcast of 1 MiB,
 * then the sums again. With `world`, a broadcast of all ranks comes first. Prints "nodes ok".
 */
#include "expect.h"

#include <stdlib.h>

enum { SUMS = 3, COUNT = 1000, LARGE = 1 << 20 };

static void make_sums(MPI_Comm node)
{
    double in[COUNT], out[COUNT];
    int ranks;
    MPI_Comm_size(node, &ranks);
    for (int i = 0; i < COUNT; i++)
        in[i] = i;
    for (int k = 0; k < SUMS; k++) {
        MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, node);
        for (int i = 0; i < COUNT; i++)
            expect("a sum", (long)out[i], (long)ranks * i);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm node;
    int number = argc;
    char *large = calloc(LARGE, 1);
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    if (argc > 1)
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    make_sums(node);
    MPI_Bcast(large, LARGE, MPI_BYTE, 0, node);
    make_sums(node);
    MPI_Comm_free(&node);
    free(large);
    return end("nodes");
}
