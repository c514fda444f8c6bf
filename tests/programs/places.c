/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * places: makes large calls on one communicator after the other and checks the results.
 *     places COMM..    world; dup; turn: the even ranks and the odd ones; halves; reverse: all, in reverse order; shrink:
 *                      all but rank 1; first: the lower half alone
 */
#include "expect.h"
#include "made_comm.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 50021, CALLS = 2 };

static int in[COUNT], out[COUNT];

static void calls(MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int root = 0; root < ranks; root += ranks - 1 + (ranks == 1)) {
        for (int i = 0; i < COUNT; i++) {
            in[i] = i + rank;
            out[i] = rank == root ? i + root : -1;
        }
        MPI_Bcast(out, COUNT, MPI_INT, root, comm);
        for (int i = 0; i < COUNT; i++)
            expect("bcast", out[i], i + root);
        MPI_Reduce(in, out, COUNT, MPI_INT, MPI_SUM, root, comm);
        for (int i = 0; i < COUNT && rank == root; i++)
            expect("reduce", out[i], ranks * i + ranks * (ranks - 1) / 2);
        MPI_Scan(in, out, COUNT, MPI_INT, MPI_SUM, comm);
        for (int i = 0; i < COUNT; i++)
            expect("scan", out[i], (rank + 1) * i + rank * (rank + 1) / 2);
        MPI_Allreduce(in, out, COUNT, MPI_INT, MPI_SUM, comm);
        for (int i = 0; i < COUNT; i++)
            expect("allreduce", out[i], ranks * i + ranks * (ranks - 1) / 2);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    for (int i = 1; i < argc; i++) {
        MPI_Comm comm = made_comm(argv[i], rank, ranks);
        if (comm != MPI_COMM_NULL)
            for (int call = 0; call < CALLS; call++)
                calls(comm);
        if (comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
    }
    return end("places");
}
