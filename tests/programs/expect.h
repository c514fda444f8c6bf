/* SPDX-License-Identifier: BSD-2-Clause */
/* For programs that check what they receive. */
#pragma once

#include <mpi.h>
#include <stdio.h>

static int rank, ranks; /* in MPI_COMM_WORLD */

/* Begins MPI with this level of threads. */
static inline void begin(int *argc, char ***argv, int level)
{
    if (level == MPI_THREAD_SINGLE)
        MPI_Init(argc, argv);
    else
        MPI_Init_thread(argc, argv, level, &(int){0});
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

/* Ends MPI; then rank 0 prints "NAME ok". Returns the exit status. */
static inline int end(const char *name)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        printf("%s ok\n", name);
    return 0;
}

/* Ends the job unless the program has got the number that it wants. */
static inline void expect(const char *what, long got, long want)
{
    if (got == want)
        return;
    fprintf(stderr, "rank %d: %s: %ld, not %ld\n", rank, what, got, want);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Broadcasts the integers first, first + 1, .. and checks them. */
static inline void expect_broadcast(int *data, int count, int first, int root, MPI_Comm comm)
{
    int at;
    MPI_Comm_rank(comm, &at);
    for (int i = 0; i < count; i++)
        data[i] = at == root ? first + i : -1;
    MPI_Bcast(data, count, MPI_INT, root, comm);
    for (int i = 0; i < count; i++)
        expect("broadcast", data[i], first + i);
}
