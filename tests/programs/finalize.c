/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * finalize: MPI_Finalize calls the delete callback of an attribute, which makes large collectives on MPI_COMM_WORLD. RANK,
 * by default 0, sets the attribute after its first collective call, the other ranks before theirs. A library may set an
 * attribute of its own in that call. On RANK, MPI deletes the library's attribute after that of the program. On the other
 * ranks, it deletes the library's first. Prints "finalize ok".
 *
 *     finalize self|world [RANK]      sets the attribute on MPI_COMM_SELF or on MPI_COMM_WORLD
 */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 50021 };

static int key;

static void large_calls(long number)
{
    static long data[COUNT], sum[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = rank == 0 ? number + i : -1;
    MPI_Bcast(data, COUNT, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Reduce(data, sum, COUNT, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++) {
        expect("broadcast", data[i], number + i);
        if (rank == 0)
            expect("reduction", sum[i], ranks * (number + i));
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
    begin(&argc, &argv, MPI_THREAD_SINGLE);
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
