/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elsewhere [FOLDER]: pairs of ranks make a call, then all ranks change their working directory and make a call together.
 * With FOLDER, they have changed to FOLDER before the first call.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { COUNT = 1501 };

static int data[COUNT];

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    if (argc > 1 && chdir(argv[1]) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    MPI_Bcast(data, COUNT, MPI_INT, 0, pair);
    if (chdir("/") != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < COUNT; i++)
        data[i] = rank == 0 ? i : -1;
    MPI_Bcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        wrong += data[i] != i;
    if (rank == 0)
        puts(wrong ? "elsewhere failed" : "elsewhere ok");
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return wrong != 0;
}
