/* SPDX-License-Identifier: BSD-2-Clause */
/* plugin: host.c loads this library, which alone is linked to MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int plugin_run(void);
int plugin_begin(void);
int plugin_share(void *data, int count);

int plugin_begin(void)
{
    return MPI_Init(NULL, NULL);
}

/* The call is a tail call, so its return address lies in the host. */
int plugin_share(void *data, int count)
{
    return MPI_Bcast(data, count, MPI_INT, 0, MPI_COMM_WORLD);
}

int plugin_run(void)
{
    enum { COUNT = 80021 };
    int rank, size, wrong = 0;
    if (getenv("ALOOF")) { /* no call that Pleach serves */
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *data = malloc(COUNT * sizeof *data), *sums = malloc(COUNT * sizeof *sums);
    for (int root = 0; root < size; root++) {
        for (int i = 0; i < COUNT; i++)
            data[i] = rank == root ? i ^ root : -1;
        MPI_Bcast(data, COUNT, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < COUNT; i++)
            wrong |= data[i] != (i ^ root);
    }
    MPI_Scan(data, sums, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        wrong |= sums[i] != data[i] * (rank + 1);
    MPI_Allreduce(data, sums, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        wrong |= sums[i] != data[i] * size;
    if (wrong)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("host ok");
    free(data);
    free(sums);
    MPI_Finalize();
    return 0;
}
