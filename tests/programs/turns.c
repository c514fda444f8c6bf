/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turns: makes short calls on many communicators and with many datatypes in turn. A library that intercepts them must not
 * query the communicator and the datatype in each call; asks.so counts the queries, if it is preloaded. Nor must it in calls
 * with an operation of the program, if they have the same arguments. Then the program frees communicators and datatypes, and
 * new ones get their handles. The library must not take a new one for the old one.
 *
 *     turns [kinds [watched] | once]
 *
 * kinds: makes two dozen kinds of calls by turns instead: operations, datatypes, sizes, roots, MPI_IN_PLACE. The library
 * must not query anything in a call like an earlier one, unless it is watched: then it asks for names.
 *
 * once: makes a datatype for each call. Of a datatype like the one before, the library must ask for the layout once. It must
 * notice when another layout comes with the same handle, size and count.
 *
 * Prints "turns ok".
 */
#include "expect.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

enum { COMMS = 200, TYPES = 200, ROUNDS = 10, LARGE = 30011 };

static MPI_Comm comm[COMMS];
static MPI_Datatype type[TYPES];
static int data[LARGE];
static const long *asks, *names, *layouts; /* the counters of asks.so; NULL: it is not preloaded */

static void make(MPI_Datatype *t, int integers)
{
    MPI_Type_vector(integers, 1, 1, MPI_INT, t);
    MPI_Type_commit(t);
}

static void broadcast(MPI_Datatype t, int integers, MPI_Comm c)
{
    int at;
    MPI_Comm_rank(c, &at);
    for (int i = 0; i < integers; i++)
        data[i] = at == 0 ? 7 * i : -1;
    MPI_Bcast(data, 1, t, 0, c);
    for (int i = 0; i < integers; i++)
        expect("element", data[i], 7 * i);
}

/* Makes small calls on the communicators from number `first` on, with types in turn. */
static void rounds(int rounds, int first)
{
    for (int round = 0; round < rounds; round++)
        for (int i = first; i < COMMS; i++) {
            MPI_Bcast(data, 1, type[i % TYPES], 0, comm[i]);
            MPI_Bcast(data, 1, MPI_FLOAT_INT, 0, comm[i]);
        }
}

/* Makes 24 kinds of calls, and checks the result of each. All ranks give 1. */
static void kinds(int ranks)
{
    enum { KINDS = 24, MOST = 4096 };
    static int in[MOST], out[MOST];
    static float in_float[MOST], out_float[MOST];
    for (int i = 0; i < KINDS; i++) {
        const int count = 1 + 1021 * (i % 4), root = i / 4 % 2 * (ranks - 1), receives = rank == root;
        for (int k = 0; k < count; k++) {
            in[k] = out[k] = 1;
            in_float[k] = 1;
        }
        switch (i % 6) {
        case 0:
            MPI_Allreduce(in, out, count, MPI_INT, i < KINDS / 2 ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
            expect("all-reduce", out[count - 1], i < KINDS / 2 ? ranks : 1);
            break;
        case 1:
            MPI_Allreduce(MPI_IN_PLACE, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            expect("all-reduce in place", out[count - 1], ranks);
            break;
        case 2:
            MPI_Allreduce(in_float, out_float, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
            expect("all-reduce of floats", (int)out_float[count - 1], ranks);
            break;
        case 3:
            MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
            expect("reduce", out[count - 1], receives ? ranks : 1);
            break;
        case 4:
            MPI_Scan(in, out, count, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
            expect("scan", out[count - 1], rank + 1);
            break;
        default:
            out[count - 1] = receives ? 3 : 0;
            MPI_Bcast(out, count, i < KINDS / 2 ? MPI_INT : MPI_UNSIGNED, root, MPI_COMM_WORLD);
            expect("broadcast", out[count - 1], 3);
        }
    }
}

/* Broadcasts two integers that lie so far apart, by a datatype for this call; on the last rank by MPI_INT if they can. */
static void once(int apart)
{
    MPI_Datatype t;
    int count = 1;
    for (int i = 0; i < 4; i++)
        data[i] = rank == 0 ? 7 * (i + 1) : -1;
    if (apart == 1)
        MPI_Type_contiguous(2, MPI_INT, &t);
    else
        MPI_Type_vector(2, 1, apart, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Datatype of = t;
    if (apart == 1 && rank == ranks - 1) {
        of = MPI_INT;
        count = 2;
    }
    MPI_Bcast(data, count, of, 0, MPI_COMM_WORLD);
    for (int i = 0; rank > 0 && i < 4; i++)
        expect("element", data[i], i == 0 ? 7 : i == apart ? 7 * (i + 1) : -1);
    MPI_Type_free(&t);
}

static void all_once(void)
{
    enum { AGAIN = 100, SETTLED = 20, MOST_APART = 3 };
    for (int i = 0; i < 256; i++) /* Pleach learns that a communicator is busy */
        once(1);
    for (int apart = 1; apart <= MOST_APART; apart++) {
        long first = 0;
        for (int i = 0; i < AGAIN + SETTLED; i++) {
            first = layouts && i == SETTLED ? *layouts : first;
            once(apart);
        }
        const bool made = apart > 1 || rank < ranks - 1; /* else its datatypes are not used */
        expect("queries for a layout", layouts ? *layouts - first : 0, layouts && made ? AGAIN : 0);
    }
    for (int i = 0; i < AGAIN; i++) {
        once(1 + i % MOST_APART);
        once(1 + i / 2 % 2);
    }
}

static void add(void *in, void *inout, int *count, MPI_Datatype *t)
{
    (void)in, (void)inout, (void)count, (void)t;
}

int main(int argc, char **argv)
{
    static int in[LARGE];
    MPI_Op op;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    asks = dlsym(RTLD_DEFAULT, "asks");
    names = dlsym(RTLD_DEFAULT, "names");
    layouts = dlsym(RTLD_DEFAULT, "layouts");
    if (argc > 1 && strcmp(argv[1], "once") == 0) {
        all_once();
        return end("turns");
    }
    if (argc > 1) {
        long first = 0;
        for (int i = 0; i < 3 * ROUNDS; i++) { /* Pleach learns that a communicator is busy in its first 256 calls */
            first = asks && i == 2 * ROUNDS ? *asks : first;
            kinds(ranks);
        }
        expect("queries", asks ? *asks - first : 0, 0);
        expect("queries for names", names && argc < 3 ? *names : 0, 0);
        if (rank == 0)
            puts("turns ok");
        MPI_Finalize();
        return 0;
    }
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    for (int i = 0; i < TYPES; i++)
        make(&type[i], 1 + i % 3);

    rounds(3, 0);
    long before = asks ? *asks : 0;
    rounds(ROUNDS, 0);
    expect("queries", asks ? *asks - before : 0, 0);

    MPI_Op_create(add, 0, &op);
    for (int i = 0; i < ROUNDS; i++) {
        before = asks && i > 2 ? *asks : 0;
        MPI_Allreduce(in, data, 1, type[2], op, comm[0]);
        MPI_Barrier(comm[0]);
        expect("queries with an operation", asks && i > 2 ? *asks - before : 0, 0);
    }
    MPI_Op_free(&op);

    /* New objects get the handles of freed ones: a large type that of a small one, a small type that of a large one, .. */
    const MPI_Datatype small = type[0];
    MPI_Type_free(&type[0]);
    make(&type[0], LARGE);
    expect("handle of the large type", type[0], small);
    broadcast(type[0], LARGE, comm[0]);
    broadcast(type[0], LARGE, comm[1]);
    broadcast(type[0], LARGE, comm[2]);
    MPI_Type_free(&type[0]);
    make(&type[0], 3);
    broadcast(type[0], 3, comm[0]);
    const MPI_Comm old = comm[0];
    MPI_Comm_free(&comm[0]);
    MPI_Comm_dup(MPI_COMM_SELF, &comm[0]);
    expect("handle of the communicator", comm[0], old);
    broadcast(type[0], 3, comm[0]);
    MPI_Comm_free(&comm[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm[0]);
    broadcast(type[0], 3, comm[0]);
    MPI_Type_free(&type[0]);
    make(&type[0], LARGE);
    broadcast(type[0], LARGE, comm[0]);

    /* The library has forgotten a freed communicator, but still knows the others. */
    before = asks ? *asks : 0;
    rounds(ROUNDS, 1);
    expect("queries after some were freed", asks ? *asks - before : 0, 0);

    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comm[i]);
    for (int i = 0; i < TYPES; i++)
        MPI_Type_free(&type[i]);
    return end("turns");
}
