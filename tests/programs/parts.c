/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parts: makes collective calls, and ends in one of many ways. Each rank makes 4 broadcasts and 3 reductions. It sleeps
 * before each of the last two reductions, so that it writes its rank report in each of them. At the end the rank report has
 * all calls. When rank 0 reads the other ranks' reports in its last call, these have all calls but the last.
 *
 *     parts world|pairs|clients finalize|exit|abort|kill|term
 *
 * world, pairs, clients: makes calls on MPI_COMM_WORLD, on a communicator for each pair of ranks, or on one for all ranks
 * but rank 0, which makes no calls. abort, kill: rank 1 ends in this way. term: all ranks get SIGTERM.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 4096 };

static void call(MPI_Comm comm, int number)
{
    static long data[COUNT], sum[COUNT];
    if (comm == MPI_COMM_NULL)
        return;
    if (number < 4)
        MPI_Bcast(data, COUNT, MPI_LONG, 0, comm);
    else
        MPI_Reduce(data, sum, COUNT, MPI_LONG, MPI_SUM, 0, comm);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm = MPI_COMM_WORLD;
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "pairs") == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &comm);
        MPI_Comm_set_name(comm, "two of pr\351fecture"); /* no UTF-8 */
    }
    if (strcmp(argv[1], "clients") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank ? 0 : MPI_UNDEFINED, rank, &comm);
    for (int i = 0; i < 5; i++)
        call(comm, i);
    for (int i = 5; i < 7; i++) {
        usleep(300000);
        call(comm, i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) {
        puts("parts ok");
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the launcher kills the other ranks when the first one leaves */
    const char *end = argv[2];
    if (strcmp(end, "exit") == 0)
        exit(0);
    if (strcmp(end, "term") == 0)
        raise(SIGTERM);
    if (rank == 1 && strcmp(end, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank == 1 && strcmp(end, "kill") == 0)
        raise(SIGKILL);
    while (strcmp(end, "finalize") != 0)
        pause();
    MPI_Finalize();
    return 0;
}
