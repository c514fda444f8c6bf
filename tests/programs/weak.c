/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak: calls MPI_Bcast_c and MPI_Allreduce_c if it finds them, as mpi4py does, else MPI_Bcast and MPI_Allreduce. It finds a
 * function if the function's address is not NULL.
 *     weak [lacking]    with `lacking', MPI has no MPI_Bcast_c, and Pleach's gets a count that is too large for MPI_Bcast:
 *                       the communicator's error handler must be called
 */
#include "expect.h"

#include <stdlib.h>

#pragma weak MPI_Bcast_c
#pragma weak MPI_Allreduce_c
int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Allreduce_c(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

static void test(int count, int rank, int ranks)
{
    int *in = malloc((size_t)count * sizeof *in), *out = malloc((size_t)count * sizeof *out);
    int wrong = !in || !out;
    for (int i = 0; !wrong && i < count; i++)
        in[i] = rank == 1 ? i : -1;
    wrong = wrong || (MPI_Bcast_c ? MPI_Bcast_c(in, count, MPI_INT, 1, MPI_COMM_WORLD)
                                  : MPI_Bcast(in, count, MPI_INT, 1, MPI_COMM_WORLD)) != MPI_SUCCESS;
    wrong = wrong || (MPI_Allreduce_c ? MPI_Allreduce_c(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD)
                                      : MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD)) != MPI_SUCCESS;
    for (int i = 0; !wrong && i < count; i++)
        wrong = in[i] != i || out[i] != i * ranks;
    if (wrong) {
        fprintf(stderr, "weak: wrong: %d elements\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(in);
    free(out);
}

static int errors;

static void note_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    errors += *error == MPI_ERR_COUNT;
}

static void test_lacking(void)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(note_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    if (MPI_Bcast_c(NULL, (MPI_Count)1 << 31, MPI_CHAR, 0, comm) != MPI_ERR_COUNT || errors != 1) {
        fprintf(stderr, "weak: %d errors\n", errors);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    test(1, rank, ranks);
    test(80021, rank, ranks);
    if (argc > 1)
        test_lacking();
    return end("weak");
}
