/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dropped: an error handler frees the communicator of the call that has failed, and another one, and returns. The call is
 * invalid, and returns its error. Prints "dropped ok".
 */
#include "expect.h"

enum { COUNT = 50021 };

static MPI_Comm failing, other;

static void drop(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    MPI_Comm_free(&failing);
    MPI_Comm_free(&other);
}

int main(int argc, char **argv)
{
    static int data[COUNT];
    int error_class = -1;
    MPI_Errhandler handler;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_create_errhandler(drop, &handler);
    for (int round = 0; round < 3; round++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &failing);
        MPI_Comm_dup(MPI_COMM_WORLD, &other);
        expect_broadcast(data, COUNT, 1000, 0, failing);
        expect_broadcast(data, COUNT, 2000, 0, other);
        MPI_Comm_set_errhandler(failing, handler);
        MPI_Error_class(MPI_Bcast(data, -1, MPI_INT, 0, failing), &error_class);
        expect("class of the error", error_class, MPI_ERR_COUNT);
        expect_broadcast(data, COUNT, 3000, 0, MPI_COMM_WORLD);
    }
    MPI_Errhandler_free(&handler);
    return end("dropped");
}
