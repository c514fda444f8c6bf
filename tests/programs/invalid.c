/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * invalid: the first call on a communicator is an invalid one, which rank 0 alone makes. It must return the error of the
 * native call, and no rank may wait for another. Then all ranks make a valid call. Prints "invalid ok".
 *
 *     invalid N            makes the N-th invalid call, on MPI_COMM_WORLD, and once more before a second valid call
 *     invalid threads      makes all invalid calls, each on a duplicate, with MPI_THREAD_MULTIPLE
 *     invalid short        makes a short call with a handle that MPICH refuses, as the second call on a duplicate; an error
 *                          that is not of this communicator aborts
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 50021 };

static int data[COUNT], result[COUNT], rank, handled;
static MPI_Datatype uncommitted;

/* Open MPI does not notice these mistakes, so the program does not make them there. */
#ifdef OPEN_MPI
#define UNNOTICED(X)
#else
#define UNNOTICED(X)                                                                                                        \
    X(alias, Scan(data, data, COUNT, MPI_INT, MPI_SUM, c))                                                                  \
    X(no_buffer, Reduce(data, NULL, COUNT, MPI_INT, MPI_SUM, 0, c))                                                         \
    X(everywhere_alias, Allreduce(data, data, COUNT, MPI_INT, MPI_SUM, c))                                                  \
    X(everywhere_no_buffer, Allreduce(MPI_IN_PLACE, NULL, COUNT, MPI_INT, MPI_SUM, c))
#endif

/* X(name, call) for each invalid call. DEFINE makes two functions of it: the call, and its native form. */
#define CALLS(X)                                                                                                            \
    X(count, Bcast(data, -1, MPI_INT, 0, c))                                                                                \
    X(root, Reduce(data, result, COUNT, MPI_INT, MPI_SUM, 99, c))                                                           \
    X(op, Scan(data, result, COUNT, MPI_FLOAT, MPI_BAND, c))                                                                \
    X(no_op, Exscan(data, result, COUNT, MPI_INT, MPI_OP_NULL, c))                                                          \
    X(type, Bcast(data, COUNT, MPI_DATATYPE_NULL, 0, c))                                                                    \
    X(not_committed, Bcast(data, 1, uncommitted, 0, c))                                                                     \
    X(in_place, Scan(data, MPI_IN_PLACE, COUNT, MPI_INT, MPI_SUM, c))                                                       \
    X(everywhere_op, Allreduce(data, result, COUNT, MPI_DOUBLE, MPI_BXOR, c))                                               \
    X(everywhere_type, Allreduce(data, result, 1, uncommitted, MPI_SUM, c))                                                 \
    X(everywhere_in_place, Allreduce(data, MPI_IN_PLACE, COUNT, MPI_INT, MPI_SUM, c))                                       \
    UNNOTICED(X)

#define DEFINE(name, call)                                                                                                  \
    static int name(MPI_Comm c)                                                                                             \
    {                                                                                                                       \
        return MPI_##call;                                                                                                  \
    }                                                                                                                       \
    static int native_##name(MPI_Comm c)                                                                                    \
    {                                                                                                                       \
        return PMPI_##call;                                                                                                 \
    }
CALLS(DEFINE)

static const struct {
    const char *name;
    int (*call)(MPI_Comm), (*native)(MPI_Comm);
} calls[] = {
#define ROW(name, call) {#name, name, native_##name},
    CALLS(ROW)};

/* Rank 0 alone passes buffers that only an empty message allows. The call is valid, and the only one on its communicator. */
static void empty(MPI_Comm comm)
{
    MPI_Scan(data, rank == 0 ? data : result, 0, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
}

/* Two valid calls, with the mistake between them. The bits of the handle say that it is a simple datatype of eight bytes. */
static void make_short_mistake(void)
{
    MPI_Comm comm;
    int error = MPI_SUCCESS;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Bcast(data, 3, MPI_INT, 0, comm);
    if (rank == 0)
        error = MPI_Scan(data, result, 3, (MPI_Datatype)(intptr_t)0x4c0008ff, MPI_SUM, comm);
    if (rank == 0 && error == MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(data, 3, MPI_INT, 0, comm);
    MPI_Comm_free(&comm);
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

/* Rank 0 makes the invalid call. Before the barrier, the other ranks make no call on `comm`. */
static void make_mistake(int i, MPI_Comm comm)
{
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank == 0) {
        int error = calls[i].call(comm), native = calls[i].native(comm), class, wanted;
        MPI_Error_class(error, &class);
        MPI_Error_class(native, &wanted);
        if (class != wanted || class == MPI_SUCCESS || handled) {
            fprintf(stderr, "invalid: %s: class %d, not %d; handler called %d times\n", calls[i].name, class, wanted,
                    handled);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    PMPI_Barrier(MPI_COMM_WORLD);
}

static void try(int i, MPI_Comm comm)
{
    make_mistake(i, comm);
    for (int k = 0; k < COUNT; k++)
        data[k] = rank == 0 ? k + i : -1;
    MPI_Bcast(data, COUNT, MPI_INT, 0, comm);
    for (int k = 0; k < COUNT; k++)
        if (data[k] != k + i)
            MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Now Pleach knows the communicator. */
static void try_again(int i, MPI_Comm comm)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    make_mistake(i, comm);
    MPI_Allreduce(data, result, COUNT, MPI_INT, MPI_SUM, comm);
    for (int k = 0; k < COUNT; k++)
        if (result[k] != ranks * (k + i))
            MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Errhandler handler;
    const int threads = argc > 1 && strcmp(argv[1], "threads") == 0, brief = argc > 1 && strcmp(argv[1], "short") == 0;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (brief)
        make_short_mistake();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* Open MPI calls this handler for any communicator */
    MPI_Type_contiguous(COUNT, MPI_INT, &uncommitted);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    if (!threads && !brief) {
        const int i = argc > 1 ? atoi(argv[1]) : 0;
        try(i, MPI_COMM_WORLD);
        try_again(i, MPI_COMM_WORLD);
    }
    for (int i = 0; threads && i < (int)(sizeof calls / sizeof calls[0]); i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        try(i, comm);
        MPI_Comm_free(&comm);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        empty(comm);
    }
    MPI_Type_free(&uncommitted);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    if (rank == 0)
        puts("invalid ok");
    return 0;
}
