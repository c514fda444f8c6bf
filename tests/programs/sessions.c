/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sessions: makes large collective calls on a communicator of a session of MPI 4. Prints "sessions ok".
 *
 *     sessions alone      MPI_Init is never called
 *     sessions mixed      even ranks call MPI_Init before the first collective call, odd ranks after it; even ranks end the
 *                         session first, odd ranks end it after MPI_Finalize
 *     sessions again      MPI begins five times: thrice with a session, then with MPI_Init, then with a session; some
 *                         objects are not freed
 *     sessions unseen     the session is opened by its PMPI_ name; odd ranks open and close another one between two calls
 *     sessions hidden     after MPI_Finalize, MPI goes on; on odd ranks only because of such a session
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 50021 };

static int rank;

static void check(int right)
{
    if (!right) {
        fprintf(stderr, "rank %d: wrong results\n", rank);
        exit(1);
    }
}

static void large_calls(MPI_Comm comm, long number)
{
    static long data[COUNT], sum[COUNT];
    int here, right = 1;
    MPI_Comm_rank(comm, &here);
    for (int i = 0; i < COUNT; i++)
        data[i] = here == 0 ? number + i : -1;
    MPI_Bcast(data, COUNT, MPI_LONG, 0, comm);
    MPI_Scan(data, sum, COUNT, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i++)
        right &= data[i] == number + i && sum[i] == (here + 1) * (number + i);
    check(right);
}

/* Broadcasts elements of `size` ints, thrice: a library may keep the size of a datatype that comes again. */
static void calls_of_type(MPI_Comm comm, int size, MPI_Datatype *type)
{
    static int data[COUNT];
    int here, right = 1;
    MPI_Comm_rank(comm, &here);
    MPI_Type_contiguous(size, MPI_INT, type);
    MPI_Type_commit(type);
    for (int call = 0; call < 3; call++) {
        const int elements = COUNT / size;
        for (int i = 0; i < COUNT; i++)
            data[i] = here == 0 || i >= elements * size ? size + call + i : -1;
        MPI_Bcast(data, elements, *type, 0, comm);
        for (int i = 0; i < COUNT; i++)
            right &= data[i] == size + call + i;
    }
    check(right);
}

static MPI_Comm comm_of(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "sessions", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    return comm;
}

static MPI_Session opened(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    return session;
}

/* `groups`: number of groups that exist for a while, so that handles are not those of the MPI before. */
static void with_session(int number, int frees, int groups)
{
    MPI_Session session = opened();
    MPI_Group group[8];
    for (int i = 0; i < groups; i++)
        MPI_Group_from_session_pset(session, "mpi://WORLD", &group[i]);
    MPI_Comm comm = comm_of(session), other;
    for (int i = 0; i < groups; i++)
        MPI_Group_free(&group[i]);
    MPI_Datatype type;
    large_calls(comm, 10000 * number);
    calls_of_type(comm, number + 1, &type);
    MPI_Comm_split(comm, 0, -rank, &other);
    large_calls(other, 20000 * number);
    MPI_Comm_free(&other);
    if (frees) {
        MPI_Type_free(&type);
        MPI_Comm_free(&comm);
    }
    MPI_Session_finalize(&session);
}

static void again(void)
{
    MPI_Comm comm;
    with_session(1, 1, 4);
    with_session(2, 0, 0);
    with_session(3, 1, 8);
    MPI_Init(NULL, NULL);
    large_calls(MPI_COMM_WORLD, 50000);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    large_calls(comm, 60000);
    MPI_Finalize();
    with_session(4, 0, 0);
}

static MPI_Session opened_unseen(void)
{
    MPI_Session session;
    PMPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    return session;
}

static void unseen(void)
{
    MPI_Session session = opened_unseen(), another;
    MPI_Comm comm = comm_of(session);
    large_calls(comm, 10000);
    if (rank % 2) {
        another = opened();
        MPI_Session_finalize(&another);
    }
    large_calls(comm, 20000);
    MPI_Comm_free(&comm);
    PMPI_Session_finalize(&session);
}

static void hidden(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    large_calls(MPI_COMM_WORLD, 10000);
    MPI_Session session = opened(), hidden = opened_unseen();
    MPI_Finalize();
    if (rank % 2)
        MPI_Session_finalize(&session);
    else
        PMPI_Session_finalize(&hidden);
    MPI_Comm comm = comm_of(rank % 2 ? hidden : session);
    large_calls(comm, 20000);
    large_calls(comm, 30000);
    MPI_Comm_free(&comm);
    if (rank % 2)
        PMPI_Session_finalize(&hidden);
    else
        MPI_Session_finalize(&session);
}

static void one_session(int mixed)
{
    MPI_Session session = opened();
    MPI_Comm comm = comm_of(session), other;
    if (mixed && rank % 2 == 0)
        MPI_Init(NULL, NULL);
    large_calls(comm, 10000);
    MPI_Comm_split(comm, 0, -rank, &other);
    large_calls(other, 20000);
    MPI_Comm_free(&other);
    if (mixed && rank % 2)
        MPI_Init(NULL, NULL);
    if (mixed)
        large_calls(MPI_COMM_WORLD, 30000);
    large_calls(comm, 40000);
    MPI_Comm_free(&comm);
    if (mixed && rank % 2)
        MPI_Finalize();
    MPI_Session_finalize(&session);
    if (mixed && rank % 2 == 0)
        MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "alone";
    if (strcmp(what, "again") == 0)
        again();
    else if (strcmp(what, "unseen") == 0)
        unseen();
    else if (strcmp(what, "hidden") == 0)
        hidden();
    else
        one_session(strcmp(what, "mixed") == 0);
    if (rank == 0)
        puts("sessions ok");
    return 0;
}
