/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nofinalize: leaves by exit(0) without MPI_Finalize. It must not crash or hang, and must exit with status 0 as natively.
 *     nofinalize handler      a handler of exit(), set before all calls, calls MPI_Finalize, as destructors of C++ may do
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 70001 };

static void finalize(void)
{
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    static int data[COUNT];
    int rank;
    if (argc > 1)
        atexit(finalize);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COUNT; i++)
        data[i] = rank == 0 ? i : -1;
    MPI_Bcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        if (data[i] != i)
            MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        puts("nofinalize ok");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD); /* the launcher kills the others when one leaves: rank 0 must have printed */
    exit(0);
}
