/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * churn N: makes a communicator, makes large calls on it, some with a new datatype, and frees it; all of that N times. The
 * memory of the process must not grow. Prints "churn ok".
 */
#include "expect.h"
#include "resident.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 20011, MOST = 2 << 10 /* KiB more than after the first tenth */ };

static int data[COUNT], sum[COUNT], rank, ranks;

static void calls(MPI_Comm comm, int key)
{
    int at, size, root;
    MPI_Datatype pair;
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &size);
    root = key % size;
    for (int i = 0; i < COUNT; i++)
        data[i] = at == root ? key + i : -1;
    data[COUNT - 1] = key + COUNT - 1; /* the datatype has an even number of elements */
    MPI_Type_vector(COUNT / 2, 1, 1, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Bcast(data, 2, pair, root, comm);
    MPI_Type_free(&pair);
    MPI_Scan(data, sum, COUNT, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i += 97) {
        expect("broadcast", data[i], key + i);
        expect("scan", sum[i], (at + 1L) * (key + i));
    }
}

int main(int argc, char **argv)
{
    const int cycles = argc > 1 ? atoi(argv[1]) : 1000;
    long before = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < cycles; i++) {
        if (i % 2)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else
            MPI_Comm_split(MPI_COMM_WORLD, rank == i % ranks, -rank, &comm);
        calls(comm, i % 1000);
        MPI_Comm_free(&comm);
        if (i == cycles / 10)
            before = resident_kib();
    }
    long more = resident_kib() - before;
    expect("KiB too many", more > MOST ? more : 0, 0);
    if (rank == 0)
        printf("churn ok: %ld KiB more\n", more);
    MPI_Finalize();
    return 0;
}
