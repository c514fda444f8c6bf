/* SPDX-License-Identifier: BSD-2-Clause */
/* threads: with MPI_THREAD_MULTIPLE, threads make large collectives at the same time, each on its own communicator. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 10, COUNT = 30011 };

struct work {
    MPI_Comm comm;
    int number;
    int wrong;
};

static void *run(void *argument)
{
    struct work *w = argument;
    int rank, size;
    MPI_Comm_rank(w->comm, &rank);
    MPI_Comm_size(w->comm, &size);
    int *data = malloc(COUNT * sizeof *data), *result = malloc(COUNT * sizeof *result);
    for (int round = 0; round < ROUNDS; round++) {
        const int root = (round + w->number) % size, key = 1000 * w->number + round;
        for (int i = 0; i < COUNT; i++)
            data[i] = rank == root ? key + i : -1;
        MPI_Bcast(data, COUNT, MPI_INT, root, w->comm);
        for (int i = 0; i < COUNT; i++)
            w->wrong |= data[i] != key + i;
        MPI_Scan(data, result, COUNT, MPI_INT, MPI_SUM, w->comm);
        for (int i = 0; i < COUNT; i++)
            w->wrong |= result[i] != (rank + 1) * (key + i);
        MPI_Reduce(data, result, COUNT, MPI_INT, MPI_SUM, root, w->comm);
        for (int i = 0; i < COUNT && rank == root; i++)
            w->wrong |= result[i] != size * (key + i);
        MPI_Allreduce(MPI_IN_PLACE, data, COUNT, MPI_INT, MPI_SUM, w->comm);
        for (int i = 0; i < COUNT; i++)
            w->wrong |= data[i] != size * (key + i);
    }
    free(data);
    free(result);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, rank;
    pthread_t thread[THREADS];
    struct work work[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < THREADS; i++) {
        work[i] = (struct work){.number = i};
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &work[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, run, &work[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        if (work[i].wrong)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_free(&work[i].comm);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("threads ok");
    MPI_Finalize();
}
