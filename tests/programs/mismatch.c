/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mismatch: an erroneous program, whose root broadcasts more than the others expect. The others must get an error, and never
 * take wrong data for theirs. Prints "mismatch went unseen" if they get no error.
 *     mismatch [return]    with `return', errors return on the communicator; prints "mismatch was reported" at an error
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 400000 };

int main(int argc, char **argv)
{
    static char data[COUNT];
    int rank, error;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (argc > 1)
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    error = MPI_Bcast(data, rank == 0 ? COUNT : COUNT / 2, MPI_CHAR, 0, comm);
    if (rank != 0 && error == MPI_SUCCESS)
        fprintf(stderr, "mismatch went unseen\n");
    if (rank != 0 && error != MPI_SUCCESS) {
        fprintf(stderr, "mismatch was reported\n");
        usleep(200000); /* lets other ranks print "unseen" first */
        exit(1);        /* the launcher then ends the root, which may wait for us */
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
