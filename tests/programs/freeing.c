/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * freeing: a delete callback makes large calls on a communicator while MPI frees it. All ranks set the callback's attribute
 * before their first collective call; with any argument, rank 0 sets it after that call. A library may set an attribute of
 * its own in that call. MPI then deletes the library's attribute before the program's on some ranks, and after the program's
 * on others. The next communicator gets the same handle. Prints "freeing ok".
 */
#include "expect.h"

enum { COUNT = 50021, ROUNDS = 5 };

static void broadcast(MPI_Comm comm, int number)
{
    static int data[COUNT];
    expect_broadcast(data, COUNT, number, 0, comm);
}

static int on_delete(MPI_Comm comm, int k, void *value, void *extra)
{
    (void)k, (void)value, (void)extra;
    broadcast(comm, 2000);
    broadcast(MPI_COMM_WORLD, 3000);
    broadcast(comm, 4000);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm comm, next;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    const int behind = argc > 1 && rank == 0;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (behind)
            broadcast(comm, 1000);
        MPI_Comm_set_attr(comm, key, NULL);
        if (!behind)
            broadcast(comm, 1000);
        const MPI_Comm old = comm;
        MPI_Comm_free(&comm);
        MPI_Comm_split(MPI_COMM_WORLD, rank == round % 2, -rank, &next);
        expect("handle of the next communicator", next, old);
        MPI_Comm_get_name(next, name, &length);
        expect("length of its name", length, 0);
        broadcast(next, 5000);
        broadcast(next, 6000);
        MPI_Comm_free(&next);
    }
    return end("freeing");
}
