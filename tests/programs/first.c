/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first: exscans in which rank 0 passes MPI_IN_PLACE or NULL as the receive buffer. MPI says that this buffer does not
 * matter on rank 0. A library that looks at it all the same gets a buffer. The level of threads stays as MPI has granted it.
 */
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 40009 };
static int in[COUNT], out[COUNT], rank;

/* Does the library leave this receive buffer of rank 0 alone? */
static int taken(void *buffer)
{
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    return PMPI_Exscan(in, buffer, COUNT, MPI_INT, MPI_SUM, MPI_COMM_SELF) == MPI_SUCCESS;
}

static void test(void *first, int count)
{
    if (!taken(first))
        first = out;
    for (int i = 0; i < COUNT; i++)
        out[i] = -1;
    MPI_Exscan(in, rank == 0 ? first : out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        if (out[i] != (rank == 0 ? -1 : rank * (rank - 1) / 2 + rank * i)) {
            fprintf(stderr, "first: wrong: element %d of rank %d\n", i, rank);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

int main(int argc, char **argv)
{
    int granted, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COUNT; i++)
        in[i] = rank + i;
    for (int count = 3; count <= COUNT; count += COUNT - 3) {
        test(out, count);
        test(NULL, count);
        test(MPI_IN_PLACE, count);
    }
    MPI_Query_thread(&level);
    MPI_Barrier(MPI_COMM_WORLD);
    if (level != granted)
        fprintf(stderr, "first: the level of threads is %d, not %d\n", level, granted);
    else if (rank == 0)
        puts("first ok");
    MPI_Finalize();
    return 0;
}
