/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * learn: repeats calls, for tests of learning. It checks the results, except where it prints their hash, and prints
 * "learn ok" at the end. Unless a line says otherwise, the elements are long integers, the operation is MPI_SUM, and the
 * communicator is MPI_COMM_WORLD.
 *
 *     learn repeat COLLECTIVE ELEMENTS CALLS [LATE]   before each call, each rank spins for a random time of up to LATE us
 *     learn after COLLECTIVE ELEMENTS CALLS           one call with 16 times as many elements, then CALLS calls
 *     learn own COLLECTIVE ELEMENTS CALLS             calls with an operation of the program. It counts the elements that
 *                                                     it folds; the ranks' total is printed: "learn: folded N elements"
 *     learn errors COLLECTIVE ELEMENTS CALLS          before each call, one rank makes an invalid one and gets an error
 *     learn truncated COLLECTIVE ELEMENTS CALLS       before each call, a broadcast of three elements whose receivers
 *                                                     expect two, and get an error
 *     learn sums ELEMENTS CALLS [COLLECTIVE]          sums of doubles by COLLECTIVE, or by reduce with each root, scan,
 *                                                     exscan and allreduce; prints a hash of all results: "learn: HASH"
 *     learn straddle MEBIBYTES CALLS                  all-reduces of doubles: nine of 15/16 MEBIBYTES; then, in turn, one
 *                                                     of MEBIBYTES and three of 3/2 MEBIBYTES, up to CALLS calls in all
 *     learn heirs ELEMENTS CALLS                      calls on MPI_COMM_WORLD, a duplicate, its halves, and a communicator
 *                                                     with the ranks in reverse order
 *     learn grid COLLECTIVE ELEMENTS CALLS            calls with an operation of the program on communicators of the lower
 *                                                     and the upper ranks ("row"), then four on communicators of the even
 *                                                     and the odd ranks ("column")
 *     learn many COMMUNICATORS CALLS                  makes communicators, makes CALLS calls on each in turn, and frees
 *                                                     them, all of it twice; prints by how much the process grew the
 *                                                     second time: "learn: grew by N KiB"
 *     learn threads ELEMENTS CALLS                    two threads make calls, each on a communicator of its own
 */
#include "resident.h"

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef OPEN_MPI
enum { MISTAKES = 10 }; /* Open MPI does not notice the last two */
#else
enum { MISTAKES = 12 };
#endif

static int rank, ranks;
static MPI_Op op; /* of checked calls: a sum */
static long folded;

static void stop(const char *what, int call)
{
    fprintf(stderr, "rank %d: %s, call %d: wrong\n", rank, what, call);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *allocate(int elements, size_t size)
{
    void *memory = calloc((size_t)elements, size);
    if (!memory)
        stop("memory", 0);
    return memory;
}

/* ---- One call, checked ------------------------------------------------------------------------------------------------ */

struct data {
    MPI_Comm comm;
    int rank, ranks, elements;
    void *in, *out;
};

static struct data data_new(MPI_Comm comm, int elements)
{
    struct data d = {.comm = comm, .elements = elements};
    MPI_Comm_rank(comm, &d.rank);
    MPI_Comm_size(comm, &d.ranks);
    d.in = allocate(elements, sizeof(long));
    d.out = allocate(elements, sizeof(long));
    return d;
}

static void data_free(struct data *d)
{
    free(d->in);
    free(d->out);
}

static long input(int i, int r, int call)
{
    return 3L * i + (long)r * r + call;
}

static long sum(int i, int end, int call)
{
    long s = 0;
    for (int r = 0; r < end; r++)
        s += input(i, r, call);
    return s;
}

/*
 * Returns how many ranks' inputs are in the result of this rank, for a reduction, an all-reduce, a scan or an exscan. If
 * there are none, the call leaves the rank's buffer as it was.
 */
static int operands(const struct data *d, const char *collective, int root)
{
    switch (collective[0]) {
    case 'a':
        return d->ranks;
    case 'r':
        return d->rank == root ? d->ranks : 0;
    case 's':
        return d->rank + 1;
    default:
        return d->rank;
    }
}

static int call(const struct data *d, const char *collective, int count, MPI_Datatype type, int root)
{
    switch (collective[0]) {
    case 'a':
        return MPI_Allreduce(d->in, d->out, count, type, op, d->comm);
    case 'b':
        return MPI_Bcast(d->out, count, type, root, d->comm);
    case 'r':
        return MPI_Reduce(d->in, d->out, count, type, op, root, d->comm);
    case 's':
        return MPI_Scan(d->in, d->out, count, type, op, d->comm);
    default:
        return MPI_Exscan(d->in, d->out, count, type, op, d->comm);
    }
}

static void prepare(const struct data *d, const char *collective, int root, int number)
{
    long *in = d->in, *out = d->out;
    for (int i = 0; i < d->elements; i++) {
        in[i] = input(i, d->rank, number);
        out[i] = collective[0] == 'b' && d->rank == root ? input(i, root, number) : -1;
    }
}

static void check(const struct data *d, const char *collective, int root, int number)
{
    const long *out = d->out;
    int end = operands(d, collective, root);
    for (int i = 0; i < d->elements; i++) {
        long want = collective[0] == 'b' ? input(i, root, number) : end ? sum(i, end, number) : -1;
        if (out[i] != want)
            stop(collective, number);
    }
}

static void checked_call(const struct data *d, const char *collective, int root, int number)
{
    prepare(d, collective, root, number);
    if (call(d, collective, d->elements, MPI_LONG, root) != MPI_SUCCESS)
        stop(collective, number);
    check(d, collective, root, number);
}

/* ---- The commands ----------------------------------------------------------------------------------------------------- */

static void be_late(unsigned *seed, double most)
{
    double end = MPI_Wtime() + 1e-6 * most * rand_r(seed) / RAND_MAX;
    while (MPI_Wtime() < end)
        ;
}

static void repeat(const char *collective, int elements, int calls, double late)
{
    struct data d = data_new(MPI_COMM_WORLD, elements);
    unsigned seed = (unsigned)rank + 1;
    for (int i = 0; i < calls; i++) {
        be_late(&seed, late);
        checked_call(&d, collective, 0, i);
    }
    data_free(&d);
}

/* The long call lets the library make what only long calls may ask for, such as shared memory. */
static void after(const char *collective, int elements, int calls)
{
    struct data d = data_new(MPI_COMM_WORLD, 16 * elements);
    checked_call(&d, collective, 0, 0);
    data_free(&d);
    repeat(collective, elements, calls, 0);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const long *from = in;
    long *to = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        to[i] += from[i];
    folded += *count;
}

static void own(const char *collective, int elements, int calls)
{
    long all = 0;
    MPI_Op_create(add, 0, &op);
    repeat(collective, elements, calls, 0);
    MPI_Op_free(&op);
    MPI_Reduce(&folded, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("learn: folded %ld elements\n", all);
}

/* This rank makes an invalid call. MPI reports the error to it at once, and never to the other ranks. */
static int mistake(const struct data *d, int number)
{
    const int count = d->elements;
    void *in = d->in, *out = d->out;
    switch (number % MISTAKES) {
    case 0:
        return MPI_Bcast(out, -1, MPI_LONG, 0, d->comm);
    case 1:
        return MPI_Bcast(out, count, MPI_DATATYPE_NULL, 0, d->comm);
    case 2:
        return MPI_Bcast(out, count, MPI_LONG, d->ranks, d->comm);
    case 3:
        return MPI_Reduce(in, out, count, MPI_DATATYPE_NULL, MPI_SUM, 0, d->comm);
    case 4:
        return MPI_Reduce(in, out, count, MPI_LONG, MPI_SUM, -7, d->comm);
    case 5:
        return MPI_Reduce(in, out, count, MPI_LONG, MPI_OP_NULL, 0, d->comm);
    case 6:
        return MPI_Scan(in, MPI_IN_PLACE, count, MPI_LONG, MPI_SUM, d->comm);
    case 7:
        return MPI_Allreduce(in, in, count, MPI_LONG, MPI_SUM, d->comm);
    case 8:
        return MPI_Allreduce(MPI_IN_PLACE, out, count, MPI_DOUBLE, MPI_BAND, d->comm);
    case 9:
        return MPI_Exscan(in, out, count, MPI_DATATYPE_NULL, MPI_SUM, d->comm);
    case 10:
        return MPI_Bcast(NULL, count, MPI_LONG, 0, d->comm);
    default:
        return MPI_Scan(NULL, NULL, count, MPI_LONG, MPI_SUM, d->comm);
    }
}

static void errors(const char *collective, int elements, int calls)
{
    struct data d = data_new(MPI_COMM_WORLD, elements);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < calls; i++) {
        if (rank == i % ranks && mistake(&d, i) == MPI_SUCCESS)
            stop("a mistake that MPI does not notice", i);
        checked_call(&d, collective, 0, i);
    }
    data_free(&d);
}

/* The broadcasts are small, and stay native. The library learns from the other calls. */
static void truncated(const char *collective, int elements, int calls)
{
    struct data d = data_new(MPI_COMM_WORLD, elements);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < calls; i++) {
        int error = MPI_Bcast(d.out, rank == 0 ? 3 : 2, MPI_LONG, 0, MPI_COMM_WORLD);
        if (rank != 0 && error == MPI_SUCCESS)
            stop("truncated", i);
        checked_call(&d, collective, 0, i);
    }
    data_free(&d);
}

static void add_bits(uint64_t *hash, const double *x, int elements)
{
    for (int i = 0; i < elements; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        *hash = (*hash ^ bits) * 0x9e3779b97f4a7c15u + 1;
    }
}

/* Does `only` name this collective, or all of them? */
static bool wanted(const char *collective, const char *only)
{
    return !only || strcmp(collective, only) == 0;
}

static void sums(int elements, int calls, const char *only)
{
    static const char *const collectives[] = {"reduce", "scan", "exscan", "allreduce"};
    double *in = allocate(elements, sizeof *in), *out = allocate(elements, sizeof *out);
    struct data d = {.comm = MPI_COMM_WORLD, .in = in, .out = out};
    uint64_t first = 0, all = 0;
    for (int i = 0; i < elements; i++)
        in[i] = (1.0 + 1e-3 * rank) / (i % 1009 + 3) * (rank % 2 ? 1e6 : 1e-6);
    for (int number = 0; number < calls; number++) {
        uint64_t hash = 0;
        for (int c = 0; c < 4; c++)
            for (int root = 0; root < (c == 0 && !only ? ranks : 1); root++)
                if (wanted(collectives[c], only)) {
                    memset(out, 0, (size_t)elements * sizeof *out);
                    call(&d, collectives[c], elements, MPI_DOUBLE, root);
                    add_bits(&hash, out, elements);
                }
        if (number == 0)
            first = hash;
        if (hash != first)
            stop("bits of sums", number);
    }
    MPI_Reduce(&first, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("learn: %016llx\n", (unsigned long long)all);
    free(in);
    free(out);
}

/*
 * If MEBIBYTES is a power of two, calls of MEBIBYTES and of 3/2 MEBIBYTES are of one kind. If MEBIBYTES is also just within
 * the limit of shadow trials, the larger calls exceed this limit. The first nine calls are of another kind. Trials of that
 * kind come first, and cost so much that trials of the larger calls have to wait.
 */
static void straddle(int mebibytes, int calls)
{
    const int least = mebibytes << 17, most = least + least / 2;
    double *in = allocate(most, sizeof *in), *out = allocate(most, sizeof *out);
    for (int i = 0; i < calls; i++) {
        const int elements = i < 9 ? least / 16 * 15 : (i - 9) % 4 ? most : least;
        in[elements - 1] = rank + i;
        MPI_Allreduce(in, out, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (out[elements - 1] != ranks * (ranks - 1) / 2 + ranks * i)
            stop("straddle", i);
        in[elements - 1] = 0;
    }
    free(in);
    free(out);
}

static void on_named(MPI_Comm comm, const char *name, int elements, int calls)
{
    struct data d = data_new(comm, elements);
    MPI_Comm_set_name(comm, name);
    for (int i = 0; i < calls; i++) {
        checked_call(&d, "bcast", 0, i);
        checked_call(&d, "scan", 0, i);
    }
    data_free(&d);
}

static void heirs(int elements, int calls)
{
    MPI_Comm copy, half, backwards;
    on_named(MPI_COMM_WORLD, "world", elements, calls);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    on_named(copy, "copy", elements, 3);
    MPI_Comm_split(copy, rank < ranks / 2, rank, &half);
    on_named(half, rank < ranks / 2 ? "lower" : "upper", elements, calls);
    MPI_Comm_split(copy, 0, -rank, &backwards);
    on_named(backwards, "backwards", elements, 3);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Comm_free(&backwards);
}

static void grid(const char *collective, int elements, int calls)
{
    MPI_Op_create(add, 0, &op);
    for (int columns = 0; columns < 2; columns++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, columns ? rank % 2 : rank < ranks / 2, rank, &comm);
        MPI_Comm_set_name(comm, columns ? "column" : "row");
        struct data d = data_new(comm, elements);
        for (int i = 0; i < (columns ? 4 : calls); i++)
            checked_call(&d, collective, 0, i);
        data_free(&d);
        MPI_Comm_free(&comm);
    }
    MPI_Op_free(&op);
}

static void many(int count, int calls)
{
    MPI_Comm *comm = allocate(count, sizeof *comm);
    struct data d = data_new(MPI_COMM_WORLD, 300);
    long before = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int c = 0; c < count; c++)
            MPI_Comm_split(MPI_COMM_WORLD, 0, c % 2 ? rank : -rank, &comm[c]);
        for (int i = 0; i < calls; i++)
            for (int c = 0; c < count; c++) {
                d.comm = comm[c];
                MPI_Comm_rank(comm[c], &d.rank);
                checked_call(&d, i % 2 ? "scan" : "reduce", 0, i);
            }
        for (int c = 0; c < count; c++)
            MPI_Comm_free(&comm[c]);
        if (turn == 0)
            before = resident_kib();
    }
    printf("learn: grew by %ld KiB\n", resident_kib() - before);
    data_free(&d);
    free(comm);
}

struct work {
    MPI_Comm comm;
    const char *name;
    int elements, calls;
};

static void *work(void *argument)
{
    const struct work *w = argument;
    on_named(w->comm, w->name, w->elements, w->calls);
    return NULL;
}

static void threads(int elements, int calls)
{
    struct work w[] = {{.name = "first"}, {.name = "second"}};
    pthread_t thread[2];
    for (int t = 0; t < 2; t++) {
        w[t].elements = elements;
        w[t].calls = calls;
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &w[t].comm);
    }
    for (int t = 0; t < 2; t++)
        pthread_create(&thread[t], NULL, work, &w[t]);
    for (int t = 0; t < 2; t++) {
        pthread_join(thread[t], NULL);
        MPI_Comm_free(&w[t].comm);
    }
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    int level, first = argc > 2 ? atoi(argv[2]) : 0, second = argc > 3 ? atoi(argv[3]) : 0;
    int elements = second, calls = argc > 4 ? atoi(argv[4]) : 0;
    MPI_Init_thread(&argc, &argv, strcmp(command, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    op = MPI_SUM;
    if (strcmp(command, "repeat") == 0)
        repeat(argv[2], elements, calls, argc > 5 ? atof(argv[5]) : 0);
    else if (strcmp(command, "after") == 0)
        after(argv[2], elements, calls);
    else if (strcmp(command, "own") == 0)
        own(argv[2], elements, calls);
    else if (strcmp(command, "errors") == 0)
        errors(argv[2], elements, calls);
    else if (strcmp(command, "truncated") == 0)
        truncated(argv[2], elements, calls);
    else if (strcmp(command, "sums") == 0)
        sums(first, second, argc > 4 ? argv[4] : NULL);
    else if (strcmp(command, "straddle") == 0)
        straddle(first, second);
    else if (strcmp(command, "heirs") == 0)
        heirs(first, second);
    else if (strcmp(command, "grid") == 0)
        grid(argv[2], elements, calls);
    else if (strcmp(command, "many") == 0)
        many(first, second);
    else if (strcmp(command, "threads") == 0)
        threads(first, second);
    else
        stop("command", 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("learn ok");
    MPI_Finalize();
    return 0;
}
