/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PLEACH_EXPECT_H
#define PLEACH_EXPECT_H

#include <mpi.h>
#include <stdio.h>

/* Ends the job unless the program has got the number that it wants. */
static inline void expect(const char *what, long got, long want)
{
    int rank;
    if (got == want)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d: %s: %ld, not %ld\n", rank, what, got, want);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Broadcasts the integers first, first + 1, .. and checks them. */
static inline void expect_broadcast(int *data, int count, int first, int root, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < count; i++)
        data[i] = rank == root ? first + i : -1;
    MPI_Bcast(data, count, MPI_INT, root, comm);
    for (int i = 0; i < count; i++)
        expect("broadcast", data[i], first + i);
}

#endif
