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

#endif
