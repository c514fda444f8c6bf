/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unserved: makes collectives that Pleach does not serve, and checks their results. With an argument, it first makes a call
 * that Pleach serves. Prints "unserved ok".
 */
#include "expect.h"

#include <stdlib.h>

enum { MOST = 8, N = 3 }; /* ranks; elements for each rank */

static int in[MOST * N], out[MOST * N], counts[MOST], displs[MOST];
static MPI_Datatype types[MOST];

/* Element i of the input of a rank: its value shows the rank and i. */
static int element(int from, int i)
{
    return 1000 * from + i;
}

static void fill(void)
{
    for (int i = 0; i < MOST * N; i++) {
        in[i] = element(rank, i);
        out[i] = -1;
    }
}

/* Checks that this rank has N elements of each rank's input, from element `first` on; then fills the buffers again. */
static void expect_all(const char *what, int first)
{
    for (int i = 0; i < ranks * N; i++)
        expect(what, out[i], element(i / N, first + i % N));
    fill();
}

static void to_all(void)
{
    MPI_Request request;
    MPI_Alltoall(in, N, MPI_INT, out, N, MPI_INT, MPI_COMM_WORLD);
    expect_all("alltoall", rank * N);
    MPI_Alltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, MPI_COMM_WORLD);
    expect_all("alltoallv", rank * N);
    for (int i = 0; i < ranks; i++)
        displs[i] *= (int)sizeof(int); /* bytes, with a datatype for each rank */
    MPI_Alltoallw(in, counts, displs, types, out, counts, displs, types, MPI_COMM_WORLD);
    expect_all("alltoallw", rank * N);
    MPI_Ialltoallw(in, counts, displs, types, out, counts, displs, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_all("ialltoallw", rank * N);
    for (int i = 0; i < ranks; i++)
        displs[i] /= (int)sizeof(int);
    for (int i = 0; i < ranks * N; i++)
        out[i] = in[i];
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, N, MPI_INT, MPI_COMM_WORLD);
    expect_all("alltoall in place", rank * N);
#if MPI_VERSION >= 4
    MPI_Alltoall_c(in, N, MPI_INT, out, N, MPI_INT, MPI_COMM_WORLD);
    expect_all("alltoall_c", rank * N);
#endif
}

static void gathers(void)
{
    const int last = ranks - 1;
    MPI_Allgather(in, N, MPI_INT, out, N, MPI_INT, MPI_COMM_WORLD);
    expect_all("allgather", 0);
    for (int i = 0; i < N; i++)
        out[rank * N + i] = in[i];
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, displs, MPI_INT, MPI_COMM_WORLD);
    expect_all("allgatherv in place", 0);
    MPI_Gather(in, N, MPI_INT, out, N, MPI_INT, last, MPI_COMM_WORLD);
    if (rank == last)
        expect_all("gather", 0);
    MPI_Gatherv(in, N, MPI_INT, out, counts, displs, MPI_INT, last, MPI_COMM_WORLD);
    if (rank == last)
        expect_all("gatherv", 0);
    MPI_Scatter(rank == last ? in : NULL, N, rank == last ? MPI_INT : MPI_DATATYPE_NULL, out, N, MPI_INT, last,
                MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        expect("scatter", out[i], element(last, rank * N + i));
    MPI_Scatterv(in, counts, displs, MPI_INT, out, N, MPI_INT, last, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        expect("scatterv", out[i], element(last, rank * N + i));
}

static void reductions(void)
{
    MPI_Request request;
    const int others = 1000 * ranks * (ranks - 1) / 2;
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        expect("reduce_scatter", out[i], others + ranks * (rank * N + i));
    MPI_Reduce_scatter_block(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        expect("reduce_scatter_block", out[i], others + ranks * (rank * N + i));
    MPI_Iallreduce(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        expect("iallreduce", out[i], others + ranks * i);
}

/* A wrong call returns the same error as without Pleach. */
static void errors(void)
{
    int class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Alltoall(in, -1, MPI_INT, out, -1, MPI_INT, MPI_COMM_WORLD), &class);
    expect("error class", class, MPI_ERR_COUNT);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    if (ranks > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < ranks; i++) {
        counts[i] = N;
        displs[i] = N * i;
        types[i] = MPI_INT;
    }
    if (argc > 1)
        MPI_Bcast(counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fill();
    to_all();
    gathers();
    reductions();
    errors();
    MPI_Barrier(MPI_COMM_WORLD);
    return end("unserved");
}
