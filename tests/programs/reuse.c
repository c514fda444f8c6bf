/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reuse WAY N: makes N communicators, one after the other, with two large calls on each. Prints "reuse ok, L left", with the
 * pieces of memory that a library has shared and still has after MPI_Finalize. WAY:
 *     dups         duplicates of MPI_COMM_WORLD
 *     orders       by turns: a duplicate, the ranks in reverse order, in each order that turns them, and two sets of ranks
 *     late         like dups; by turns, a rank frees a communicator on which a request of it lasts until after the next call
 *     callbacks    like dups; a callback makes a call while its attribute of the communicator is deleted
 *     errors       like dups; in each eighth, the ranks disagree about a call, and some or all get an error
 *     unused       like dups; each second communicator has no call
 *     thread       like dups; the program may call MPI from several threads, but does not
 *     threads      three threads do this at the same time, each with duplicates of a communicator of its own
 */
#include "expect.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 5003, THREADS = 3 };

static int pieces(void)
{
    char line[512];
    int count = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        count += strstr(line, "/memfd:pleach") || strstr(line, "/dev/shm/pleach-");
    if (f)
        fclose(f);
    return count;
}

static void calls(MPI_Comm comm, int key)
{
    int at, size, *data = malloc(COUNT * sizeof *data), *sum = malloc(COUNT * sizeof *sum);
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < COUNT; i++)
        data[i] = key + i + at;
    MPI_Allreduce(data, sum, COUNT, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i++)
        expect("sum", sum[i], (long)size * (key + i) + size * (size - 1) / 2);
    expect_broadcast(data, COUNT, key, key % size, comm);
    free(data);
    free(sum);
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key, (void)value, (void)extra;
    calls(comm, 77);
    return MPI_SUCCESS;
}

/* Makes communicator i. The colours and the order of its ranks depend on i. */
static void make_order(int i, MPI_Comm *comm)
{
    const int way = i % (ranks + 3);
    if (way == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, comm);
    else if (way == 1)
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, comm);
    else if (way < ranks + 1)
        MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + way - 1) % ranks, comm);
    else
        MPI_Comm_split(MPI_COMM_WORLD, way == ranks + 1 ? rank % 2 : rank == 0, rank, comm);
}

/* The ranks make calls of different lengths. If all get the lengths that they want, the others wait for nothing. */
static void disagree(MPI_Comm comm)
{
    static int data[COUNT];
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Allreduce(MPI_IN_PLACE, data, rank == 0 ? COUNT : COUNT - 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

/* Begins a message from the next rank to the late one, which keeps its request. */
static void begin_late(int late, MPI_Comm comm, int *number, MPI_Request *request)
{
    if (rank == late)
        MPI_Irecv(number, 1, MPI_INT, (late + 1) % ranks, 0, comm, request);
    if (rank == (late + 1) % ranks)
        MPI_Send(&(int){5}, 1, MPI_INT, late, 0, comm);
}

static void cycles(const char *way, int n, MPI_Comm parent)
{
    const int late = strcmp(way, "late") == 0, calling = strcmp(way, "callbacks") == 0, wrong = strcmp(way, "errors") == 0;
    int key, number[2];
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    for (int i = 0; i < n; i++) {
        MPI_Comm comm;
        if (strcmp(way, "orders") == 0)
            make_order(i, &comm);
        else
            MPI_Comm_dup(parent, &comm);
        if (calling && (i + rank) % 2)
            MPI_Comm_set_attr(comm, key, NULL);
        if (strcmp(way, "unused") != 0 || i % 2)
            calls(comm, i);
        if (calling && (i + rank) % 2 == 0)
            MPI_Comm_set_attr(comm, key, NULL);
        if (wrong && i % 8 == 7)
            disagree(comm);
        if (late)
            begin_late(i % ranks, comm, &number[i % 2], &request[i % 2]);
        MPI_Comm_free(&comm);
        MPI_Wait(&request[(i + 1) % 2], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    MPI_Comm_free_keyval(&key);
}

struct work {
    MPI_Comm parent;
    int n;
};

static void *run(void *argument)
{
    struct work *w = argument;
    cycles("dups", w->n, w->parent);
    return NULL;
}

static void threads(int n)
{
    pthread_t thread[THREADS];
    struct work work[THREADS];
    for (int i = 0; i < THREADS; i++) {
        work[i].n = n;
        MPI_Comm_dup(MPI_COMM_WORLD, &work[i].parent);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, run, &work[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        MPI_Comm_free(&work[i].parent);
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "dups";
    const int n = argc > 2 ? atoi(argv[2]) : 10;
    const int several = strncmp(way, "thread", 6) == 0;
    begin(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
    if (strcmp(way, "threads") == 0)
        threads(n);
    else
        cycles(way, n, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        printf("reuse ok, %d left\n", pieces());
    return 0;
}
