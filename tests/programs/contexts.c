/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * contexts: rank 0 takes all context ids of MPI before any rank makes a collective call that a library intercepts. The calls
 * must give right results, and MPI must call an error handler only for wrong calls of the program itself. Prints "contexts
 * ok".
 */
#include "expect.h"

enum { COUNT = 50021, MOST = 100000 };

static int data[COUNT], sum[COUNT];

int main(int argc, char **argv)
{
    static MPI_Comm taken[MOST];
    int n = 0, class;
    MPI_Datatype pair;
    MPI_Comm wide;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_dup(MPI_COMM_WORLD, &wide);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        while (n < MOST && MPI_Comm_dup(MPI_COMM_SELF, &taken[n]) == MPI_SUCCESS)
            n++;
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Error_class(MPI_Bcast(data, -1, MPI_INT, 0, MPI_COMM_WORLD), &class);
        expect("class of the error", class, MPI_ERR_COUNT);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    }
    for (int i = 0; i < COUNT; i++)
        data[i] = rank == 0 ? i : -1;
    MPI_Bcast(data, COUNT / 2, pair, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, COUNT, MPI_INT, 0, wide);
    MPI_Scan(data, sum, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++) {
        expect("broadcast", data[i], i);
        expect("scan", sum[i], (rank + 1L) * i);
    }
    while (n > 0)
        MPI_Comm_free(&taken[--n]);
    MPI_Reduce(data, sum, COUNT, MPI_INT, MPI_SUM, 0, wide);
    for (int i = 0; rank == 0 && i < COUNT; i++)
        expect("reduction", sum[i], (long)ranks * i);
    MPI_Type_free(&pair);
    MPI_Comm_free(&wide);
    return end("contexts");
}
