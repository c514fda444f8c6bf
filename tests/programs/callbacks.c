/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * callbacks: sets an attribute on MPI_COMM_SELF. Its copy callback must never run, and its delete callback must run once. An
 * invalid in-place reduction must return an error, not crash; Open MPI accepts such a call.
 */
#include "expect.h"

#include <stdlib.h>

enum { COUNT = 70001 };

static int copies, deletes;

static int on_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    free(value);
    deletes++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static int data[COUNT], result[COUNT];
    int key;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_create_keyval(on_copy, on_delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, malloc(1));
    for (int i = 0; i < COUNT; i++)
        data[i] = rank + i;
    MPI_Bcast(data, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scan(data, result, COUNT, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect("scan", result[COUNT - 1], rank + COUNT - 1);

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#ifndef OPEN_MPI
    if (rank == ranks - 1 && rank > 0) { /* the root alone: the call fails before it communicates */
        int error = MPI_Reduce(MPI_IN_PLACE, NULL, COUNT, MPI_INT, MPI_SUM, rank, MPI_COMM_WORLD), class;
        MPI_Error_class(error, &class);
        expect("class of the error", class, MPI_ERR_BUFFER);
    }
#endif
    MPI_Finalize();
    if (copies != 0 || deletes != 1) {
        fprintf(stderr, "rank %d: %d copies, %d deletions\n", rank, copies, deletes);
        return 1;
    }
    if (rank == 0)
        puts("callbacks ok");
    return 0;
}
