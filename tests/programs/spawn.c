/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * spawn: starts a second job, two ranks of this program, and makes large calls on communicators of both jobs and of one job.
 * Calls of both jobs must be native, since ranks of the other job may run without the library; programs.sh looks for native
 * calls in the log. Prints "spawn ok" in the first job and "spawned ok" in the second.
 */
#include "expect.h"

enum { COUNT = 50001 };

static void make_calls(MPI_Comm comm)
{
    static int in[COUNT], out[COUNT];
    int at, size;
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &size);
    expect_broadcast(in, COUNT, 0, 1, comm);
    MPI_Scan(in, out, COUNT, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i++)
        expect("scan", out[i], (at + 1) * i);
    MPI_Reduce(in, out, COUNT, MPI_INT, MPI_SUM, 0, comm);
    for (int i = 0; i < COUNT && at == 0; i++)
        expect("reduction", out[i], size * i);
}

int main(int argc, char **argv)
{
    MPI_Comm others, both, half;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_get_parent(&others);
    const int spawned = others != MPI_COMM_NULL;
    if (!spawned)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(others, spawned, &both);
    make_calls(both);
    make_calls(MPI_COMM_WORLD);
    MPI_Comm_split(both, rank, 0, &half); /* one rank of each job */
    make_calls(half);
    MPI_Comm_free(&half);
    MPI_Comm_split(both, spawned, 0, &half); /* the ranks of one job */
    make_calls(half);
    MPI_Comm_free(&half);
    MPI_Comm_free(&both);
    MPI_Comm_disconnect(&others);
    MPI_Finalize();
    if (rank == 0)
        printf("%s ok\n", spawned ? "spawned" : "spawn");
    return 0;
}
