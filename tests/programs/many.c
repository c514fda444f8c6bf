/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * many [MOST [threads]]: frees a communicator on which some ranks still have a request, and makes large calls on another one
 * of the same ranks. Then it makes as many communicators as MPI has, at most MOST, and keeps them all. Each has a large call
 * when it is made, and another one when all are there. A library must not need many communicators for itself. Prints
 * "many ok: N communicators". With a second argument, the program asks for MPI_THREAD_MULTIPLE.
 */
#include "expect.h"

#include <stdlib.h>

enum { MOST = 100000, COUNT = 17011 };

static int data[COUNT];

static void broadcast(MPI_Comm comm, int key)
{
    expect_broadcast(data, COUNT, key, key % ranks, comm);
}

static void free_early(void)
{
    MPI_Comm early, next;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &early);
    broadcast(early, 1);
    if (rank > 0)
        MPI_Send_init(data, 1, MPI_INT, 0, 0, early, &request);
    MPI_Comm_free(&early);
    MPI_Comm_dup(MPI_COMM_WORLD, &next);
    broadcast(next, 2);
    if (rank > 0)
        MPI_Request_free(&request);
    broadcast(next, 3);
    MPI_Comm_free(&next);
}

int main(int argc, char **argv)
{
    static MPI_Comm comm[MOST];
    int n = 0, most = argc > 1 ? atoi(argv[1]) : MOST;
    begin(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
    free_early();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (n < most && n < MOST && MPI_Comm_dup(MPI_COMM_WORLD, &comm[n]) == MPI_SUCCESS) {
        MPI_Comm_set_errhandler(comm[n], MPI_ERRORS_ARE_FATAL);
        broadcast(comm[n], n);
        n++;
    }
    for (int i = 0; i < n; i++)
        broadcast(comm[i], n + i);
    for (int i = 0; i < n; i++)
        MPI_Comm_free(&comm[i]);
    if (rank == 0)
        printf("many ok: %d communicators\n", n);
    MPI_Finalize();
    return 0;
}
