/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sessions: makes large collective calls on a communicator of a session of MPI 4. Prints "sessions ok".
 *
 *     sessions alone      MPI_Init is never called
 *     sessions mixed      even ranks call MPI_Init before the first collective call, odd ranks after it; even ranks end the
 *                         session first, odd ranks end it after MPI_Finalize
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 50021 };

static void large_calls(MPI_Comm comm, long number)
{
    static long data[COUNT], sum[COUNT];
    int rank, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < COUNT; i++)
        data[i] = rank == 0 ? number + i : -1;
    MPI_Bcast(data, COUNT, MPI_LONG, 0, comm);
    MPI_Scan(data, sum, COUNT, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i++)
        wrong |= data[i] != number + i || sum[i] != (rank + 1) * (number + i);
    if (wrong) {
        fprintf(stderr, "rank %d: wrong results\n", rank);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    const int mixed = argc > 1 && strcmp(argv[1], "mixed") == 0;
    int rank;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, other;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "sessions", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    if (mixed && rank % 2 == 0)
        MPI_Init(NULL, NULL);
    large_calls(comm, 10000);
    MPI_Comm_split(comm, 0, -rank, &other);
    large_calls(other, 20000);
    MPI_Comm_free(&other);
    if (mixed && rank % 2)
        MPI_Init(NULL, NULL);
    if (mixed)
        large_calls(MPI_COMM_WORLD, 30000);
    large_calls(comm, 40000);
    MPI_Comm_free(&comm);
    if (mixed && rank % 2)
        MPI_Finalize();
    MPI_Session_finalize(&session);
    if (mixed && rank % 2 == 0)
        MPI_Finalize();
    if (rank == 0)
        puts("sessions ok");
    return 0;
}
