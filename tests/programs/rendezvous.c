/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rendezvous: a rank that waits in a collective call must drive the MPI library. Rank 0 begins to send a large message to
 * rank 1 and makes a collective call. Rank 1 receives that message before it makes the call: so MPI on rank 0 has to work
 * while rank 0 waits for rank 1. Then one rank after the other comes late. MPI_Finalize follows the last call at once: in a
 * short broadcast, the root may begin it before other ranks begin the call; in a short reduction, other ranks before the
 * root.
 *     rendezvous [reduce]   the last call is a broadcast or, with `reduce', a reduction
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { MESSAGE = 1 << 22, COUNT = 1 << 17, SHORT = 1000, LATE = 100000 /* microseconds */ };

static char message[MESSAGE];
static int in[COUNT], out[COUNT];
static int rank, ranks;

static void call(int collective)
{
    switch (collective) {
    case 0:
        MPI_Bcast(out, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Reduce(in, out, COUNT, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Allreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Scan(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
    default:
        MPI_Exscan(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* The right value of each element of `out` after a call in which all elements of rank r's input are r + 1. */
static int expected(int collective)
{
    const int all = ranks * (ranks + 1) / 2, before = rank * (rank + 1) / 2;
    return collective == 0 ? 7 : collective < 3 ? all : collective == 3 ? before + rank + 1 : before;
}

static int wrong(int collective)
{
    int errors = 0;
    const int has_result = collective == 1 ? rank == 0 : collective < 4 || rank > 0;
    for (int i = 0; i < COUNT && has_result; i++)
        errors += out[i] != expected(collective);
    return errors;
}

static void prepare(int collective)
{
    for (int i = 0; i < COUNT; i++) {
        in[i] = rank + 1;
        out[i] = collective == 0 && rank == 0 ? 7 : 0;
    }
}

int main(int argc, char **argv)
{
    int errors = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int collective = 0; collective < 5; collective++) {
        MPI_Request request = MPI_REQUEST_NULL;
        prepare(collective);
        if (rank == 0)
            MPI_Isend(message, MESSAGE, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        if (rank == 1)
            MPI_Recv(message, MESSAGE, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        call(collective);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        errors += wrong(collective);
        for (int late = 0; late < ranks; late++) {
            prepare(collective);
            if (rank == late)
                usleep(LATE);
            call(collective);
            errors += wrong(collective);
        }
    }
    MPI_Allreduce(&errors, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "rendezvous failed" : "rendezvous ok");
    const int reduces = argc > 1;
    prepare(reduces);
    if (reduces == (rank == 0))
        usleep(LATE);
    if (reduces)
        MPI_Reduce(in, out, SHORT, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(out, SHORT, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    for (int i = 0; i < SHORT && !(reduces && rank > 0); i++)
        all += out[i] != expected(reduces);
    return all != 0;
}
