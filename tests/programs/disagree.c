/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disagree: an erroneous program, whose ranks make different calls at once. Each rank prints the result of its own call,
 * "rank 2: error" or "rank 2: no error", and sleeps. All ranks end after two minutes.
 *     disagree WHAT RANK    All ranks make the same first call. In the next one, RANK differs from the others in WHAT:
 *                           `size', `root', `op', `collective', or `threshold': a size below the threshold.
 *                           `first': RANK has 4 bytes in its first call and 40 in its second, the others have 40 bytes and
 *                           then 4
 *                           `late': as `size', while rank 3 still waits for rank 2 in the first call
 *                           `other': as `root', while rank 0 waits for rank 1 on another communicator of the same ranks,
 *                           which is used before; `older': that communicator is used after this one
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 500003 };

static int in[2 * COUNT], out[2 * COUNT];

static int rank;

static void slow_sum(void *low, void *high, int *count, MPI_Datatype *type)
{
    static int calls;
    (void)type;
    if (rank == 2 && calls++ == 0)
        sleep(1);
    for (int i = 0; i < *count; i++)
        ((int *)high)[i] += ((int *)low)[i];
}

/* The first call, which is the same on all ranks. */
static int before(const char *what, MPI_Comm comm)
{
    MPI_Op op;
    if (strcmp(what, "late") != 0)
        return MPI_Bcast(out, COUNT, MPI_INT, 0, comm);
    MPI_Op_create(slow_sum, 1, &op);
    return MPI_Scan(in, out, 20000, MPI_INT, op, comm);
}

static int call(const char *what, int odd, MPI_Comm comm)
{
    if (strcmp(what, "op") == 0)
        return MPI_Reduce(in, out, COUNT, MPI_INT, odd ? MPI_BXOR : MPI_SUM, 0, comm);
    if (odd && strcmp(what, "collective") == 0)
        return MPI_Scan(in, out, COUNT, MPI_INT, MPI_SUM, comm);
    if (odd && strcmp(what, "root") == 0)
        return MPI_Bcast(out, COUNT, MPI_INT, 1, comm);
    return MPI_Bcast(out, !odd ? COUNT : strcmp(what, "threshold") == 0 ? 10 : 2 * COUNT, MPI_INT, 0, comm);
}

/*
 * RANK makes the first two calls in reverse order. If a library served only one of them, no rank would get an error.
 */
static int cross(int odd, MPI_Comm comm)
{
    const int first = MPI_Bcast(out, odd ? 1 : 10, MPI_INT, 0, comm),
              second = MPI_Bcast(out, odd ? 10 : 1, MPI_INT, 0, comm);
    return first != MPI_SUCCESS ? first : second;
}

static int sum_and_broadcast(int root, MPI_Comm comm)
{
    const int error = MPI_Reduce(in, out, 10, MPI_INT, MPI_SUM, 0, comm);
    return error != MPI_SUCCESS ? error : MPI_Bcast(out, 10, MPI_INT, root, comm);
}

/* Each communicator first has all calls once, so that the later calls send no messages but their own. */
static int on_two(int older, int odd, MPI_Comm comm)
{
    MPI_Comm another;
    MPI_Comm_dup(MPI_COMM_WORLD, &another);
    MPI_Comm_set_errhandler(another, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++)
        for (int root = 1; root <= 2; root++)
            sum_and_broadcast(root, (i == 0) == older ? comm : another);
    if (rank == 1)
        sleep(2);
    if (MPI_Reduce(in, out, 10, MPI_INT, MPI_SUM, 0, another) != MPI_SUCCESS)
        fprintf(stderr, "rank %d: an error before\n", rank);
    return MPI_Bcast(out, 10, MPI_INT, odd ? 2 : 1, comm);
}

int main(int argc, char **argv)
{
    int error;
    MPI_Comm comm;
    if (argc < 3)
        return 2;
    alarm(120);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "divided");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int odd = rank == atoi(argv[2]);
    if (strcmp(argv[1], "first") == 0)
        error = cross(odd, comm);
    else if (strcmp(argv[1], "other") == 0 || strcmp(argv[1], "older") == 0)
        error = on_two(strcmp(argv[1], "older") == 0, odd, comm);
    else {
        if (before(argv[1], comm) != MPI_SUCCESS)
            fprintf(stderr, "rank %d: an error before\n", rank);
        error = call(argv[1], odd, comm);
    }
    fprintf(stderr, "rank %d: %s\n", rank, error == MPI_SUCCESS ? "no error" : "error");
    for (;;)
        sleep(1);
}
