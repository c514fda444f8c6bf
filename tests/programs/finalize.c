/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * finalize: a callback that MPI_Finalize calls makes large collectives on MPI_COMM_WORLD. Rank 0, or the one that is given,
 * sets it behind its first collective call, the others before it. So whatever a library hangs there at that call goes after
 * the callback on that rank, and before it on the others. Prints "finalize ok".
 *
 *     finalize self|world [RANK]      the communicator on which the attribute hangs
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 50021 };

static int rank, ranks, key;

static void check(const char *what, long got, long want)
{
    if (got != want) {
        fprintf(stderr, "rank %d: %s: %ld, not %ld\n", rank, what, got, want);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void large_calls(long number)
{
    static long data[COUNT], sum[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = rank == 0 ? number + i : -1;
    MPI_Bcast(data, COUNT, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Reduce(data, sum, COUNT, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++) {
        check("broadcast", data[i], number + i);
        if (rank == 0)
            check("reduction", sum[i], ranks * (number + i));
    }
}

static int on_delete(MPI_Comm comm, int k, void *value, void *extra)
{
    (void)comm, (void)k, (void)extra;
    large_calls(*(long *)value);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static long number = 70000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const MPI_Comm comm = argc > 1 && strcmp(argv[1], "world") == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    const int late = argc > 2 ? atoi(argv[2]) : 0;
    if (rank == late)
        large_calls(40000);
    MPI_Comm_set_attr(comm, key, &number);
    if (rank != late)
        large_calls(40000);
    MPI_Finalize();
    if (rank == 0)
        puts("finalize ok");
    return 0;
}
