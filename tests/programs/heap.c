/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heap: makes calls of many kinds and sizes, on communicators that come and go. With fakes/heap.c preloaded, rank 0 then
 * prints how many pieces of the heap Pleach keeps: "heap ok: N left".
 */
#include <mpi.h>
#include <stdio.h>

enum { COMMS = 6, SIZES = 60, STEP = 777 };

int heap_left(void) __attribute__((weak));

static void call_all(MPI_Comm comm)
{
    static double in[SIZES * STEP], out[SIZES * STEP];
    for (int i = 1; i < SIZES; i++) {
        MPI_Bcast(out, i * STEP, MPI_DOUBLE, 0, comm);
        MPI_Reduce(in, out, i * STEP, MPI_DOUBLE, MPI_SUM, 0, comm);
        MPI_Allreduce(in, out, i, MPI_INT, MPI_MAX, comm);
        MPI_Allreduce(in, out, i * STEP, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Scan(in, out, i * STEP, MPI_FLOAT, MPI_SUM, comm);
        MPI_Exscan(in, out, i, MPI_DOUBLE, MPI_MIN, comm);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    call_all(MPI_COMM_WORLD);
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        call_all(comm);
        if (i % 2)
            MPI_Comm_free(&comm);
    }
    if (rank == 0)
        printf("heap ok: %d left\n", heap_left ? heap_left() : -1);
    MPI_Finalize();
    return 0;
}
