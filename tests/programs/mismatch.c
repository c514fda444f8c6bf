/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mismatch: an erroneous program, whose root broadcasts more than the others expect. They must hear of it: never take for
 * theirs what is not. Says "mismatch went unseen" if they do not.
 */
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 400000 };

int main(int argc, char **argv)
{
    static char data[COUNT];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(data, rank == 0 ? COUNT : COUNT / 2, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank != 0)
        fprintf(stderr, "mismatch went unseen\n");
    MPI_Finalize();
    return 0;
}
