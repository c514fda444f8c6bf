/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intrude: the error handler of an all-reduce that fails on rank 0 makes many other calls on the same communicator, as the
 * other ranks do. Prints "intrude ok".
 */
#include "expect.h"

enum { COUNT = 50021, CALLS = 64, REPEATS = 3 };

static int in[COUNT], out[COUNT + CALLS];

static void broadcasts(void)
{
    for (int i = 0; i < CALLS; i++)
        expect_broadcast(out, COUNT + i, i, 0, MPI_COMM_WORLD);
}

static void on_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    broadcasts();
}

int main(int argc, char **argv)
{
    int error_class = MPI_SUCCESS;
    MPI_Errhandler handler;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    for (int i = 0; i < REPEATS; i++)
        MPI_Allreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (rank == 0) {
        MPI_Error_class(MPI_Allreduce(MPI_IN_PLACE, NULL, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD), &error_class);
        expect("class of the error", error_class, MPI_ERR_BUFFER);
    } else
        broadcasts();
    MPI_Errhandler_free(&handler);
    return end("intrude");
}
