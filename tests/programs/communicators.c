/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * communicators: makes more communicators one after the other than MPI can have at a time (about 2000), with a large
 * broadcast on each. Some are freed at once, others later and in another order, or by MPI_Comm_disconnect. When a
 * communicator is freed, a library must free what it keeps for the communicator. With any argument, the program asks for
 * MPI_THREAD_MULTIPLE.
 */
#include "expect.h"

enum { TOTAL = 2200, ALIVE = 37, COUNT = 17003 };

static void broadcast(MPI_Comm comm, int key)
{
    static int data[COUNT];
    int size;
    MPI_Comm_size(comm, &size);
    expect_broadcast(data, COUNT, key, key % size, comm);
}

int main(int argc, char **argv)
{
    MPI_Comm alive[ALIVE];
    int made;
    begin(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
    for (int i = 0; i < ALIVE; i++)
        alive[i] = MPI_COMM_NULL;

    for (made = 0; made < TOTAL; made++) {
        MPI_Comm *c = &alive[made * 5 % ALIVE]; /* the oldest one, as 5 and 37 have no common factor */
        if (*c != MPI_COMM_NULL) {
            broadcast(*c, made);
            if (made % 3)
                MPI_Comm_free(c);
            else
                MPI_Comm_disconnect(c);
        }
        switch (made % 3) {
        case 0:
            MPI_Comm_dup(MPI_COMM_WORLD, c);
            break;
        case 1:
            MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, c);
            break;
        default:
            MPI_Comm_dup(MPI_COMM_SELF, c);
        }
        broadcast(*c, made);
        if (made % 4 == 0)
            MPI_Comm_free(c);
    }
    for (int i = 0; i < ALIVE; i++)
        if (alive[i] != MPI_COMM_NULL)
            MPI_Comm_free(&alive[i]);

    return end("communicators");
}
