/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * churn N: makes a communicator, makes large calls on it, some with a new datatype, and frees it; all of that N times. The
 * memory of the process must not grow. Prints "churn ok".
 * churn teams: makes a communicator for each set of two ranks or more, the smallest sets first, and one large call on it.
 */
#include "expect.h"
#include "resident.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 20011, MOST = 2 << 10 /* KiB more than after the first tenth */ };

static int data[COUNT], sum[COUNT];

static void calls(MPI_Comm comm, int key)
{
    int at, size, root;
    MPI_Datatype pair;
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &size);
    root = key % size;
    for (int i = 0; i < COUNT; i++)
        data[i] = at == root ? key + i : -1;
    data[COUNT - 1] = key + COUNT - 1; /* the datatype has an even number of elements */
    MPI_Type_vector(COUNT / 2, 1, 1, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Bcast(data, 2, pair, root, comm);
    MPI_Type_free(&pair);
    MPI_Scan(data, sum, COUNT, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i += 97) {
        expect("broadcast", data[i], key + i);
        expect("scan", sum[i], (at + 1L) * (key + i));
    }
}

/* The ranks of a set are the bits of its number. */
static void one_call(int set)
{
    int member[32], size = 0;
    MPI_Group world, group;
    MPI_Comm comm;
    for (int r = 0; r < ranks; r++)
        if (set >> r & 1)
            member[size++] = r;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, size, member, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    if (comm != MPI_COMM_NULL) {
        data[COUNT - 1] = rank == member[0] ? set : -1;
        MPI_Bcast(data, COUNT, MPI_INT, 0, comm);
        expect("broadcast", data[COUNT - 1], set);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static int all_teams(void)
{
    for (int size = 2; size <= ranks; size++)
        for (int set = 0; set < 1 << ranks; set++)
            if (__builtin_popcount((unsigned)set) == size)
                one_call(set);
    if (rank == 0)
        puts("churn ok");
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    const int cycles = argc > 1 ? atoi(argv[1]) : 1000;
    long before = 0;
    MPI_Comm comm;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    if (argc > 1 && strcmp(argv[1], "teams") == 0)
        return all_teams();
    for (int i = 0; i < cycles; i++) {
        if (i % 2)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else
            MPI_Comm_split(MPI_COMM_WORLD, rank == i % ranks, -rank, &comm);
        calls(comm, i % 1000);
        MPI_Comm_free(&comm);
        if (i == cycles / 10)
            before = resident_kib();
    }
    long more = resident_kib() - before;
    expect("KiB too many", more > MOST ? more : 0, 0);
    if (rank == 0)
        printf("churn ok: %ld KiB more\n", more);
    MPI_Finalize();
    return 0;
}
