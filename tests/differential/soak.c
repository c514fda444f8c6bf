/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * soak SECONDS THREADS [SEED]: makes communicators, makes a few calls on each, and frees them. Each call has a random
 * collective, datatype and operation. The program makes it as MPI_X and as PMPI_X, and compares all bits. Each thread has
 * communicators of its own. After every tenth of the time the program frees all, and each rank counts its resources: at the
 * end it may have little more than after the first tenth. Prints "soak ok: N calls, M communicators".
 */
#include "buffers.h"
#include "calls.h"
#include "resident.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !__GLIBC_PREREQ(2, 33)
#define mallinfo2 mallinfo
#endif

enum { TENTHS = 10, THREADS = 16, SLOTS = 6, CALLS = 8, FREED = 8 };
enum { MOST_COUNT = 30000, MOST_BYTES = 1 << 18, MOST_LEAVES = 20000, MOST_DUPLICATES = 100000 };

static double tenth; /* seconds */

/* The work of a thread. All but the counters is the same on all ranks. */
struct worker {
    pthread_t thread;
    MPI_Comm base;        /* all ranks */
    MPI_Comm comm[SLOTS]; /* alive, or MPI_COMM_NULL */
    uint64_t state;       /* of the random numbers */
    long calls, comms;    /* so far */
    double until;         /* the end of this tenth, by rank 0's MPI_Wtime() */
    const char *what;     /* the call under way */
};

__attribute__((format(printf, 1, 2))) _Noreturn static void fail(const char *format, ...)
{
    char what[200];
    int rank;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "soak: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* ---- Resources ------------------------------------------------------------------------------------------------------- */

enum { RESIDENT, ALLOCATED, DESCRIPTORS, TASKS, CONTEXTS, RESOURCES };
struct resources {
    long have[RESOURCES];
};

/*
 * How much more a process may have in the end than after the first tenth. The memory that malloc holds and that MPI keeps
 * for later settles slowly. In some processes MPICH 4.0.2 over UCX, without Pleach, loses 56 bytes for each duplicate of a
 * datatype: up to 25 bytes a communicator here. A library may keep the state of a freed communicator until another one has
 * its handle.
 */
static const struct {
    const char *name;
    long more;
    double each; /* for each communicator */
} resources[] = {
    [RESIDENT] = {"KiB resident", 24 << 10, 0}, [ALLOCATED] = {"KiB allocated", 2 << 10, 64. / 1024},
    [DESCRIPTORS] = {"descriptors", 0, 0},      [TASKS] = {"threads", 0, 0},
    [CONTEXTS] = {"context ids", 8, 0},
};

static long entries(const char *folder)
{
    long n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

/* The number of context ids that MPI has left: takes them all by duplicates, and frees these. */
static long contexts_left(void)
{
    static MPI_Comm taken[MOST_DUPLICATES];
    int n = 0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    while (n < MOST_DUPLICATES && MPI_Comm_dup(MPI_COMM_SELF, &taken[n]) == MPI_SUCCESS)
        n++;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    for (int i = 0; i < n; i++)
        MPI_Comm_free(&taken[i]);
    return n;
}

/* A library may keep the state of a freed communicator until others are freed. */
static void free_one_more(void)
{
    MPI_Comm last;
    int word = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &last);
    MPI_Bcast(&word, 1, MPI_INT, 0, last);
    MPI_Comm_free(&last);
    MPI_Barrier(MPI_COMM_WORLD);
}

static struct resources count_resources(void)
{
    static long before_all;
    for (int i = 0; i < FREED; i++)
        free_one_more();
    const long left = contexts_left();
    before_all = before_all ? before_all : left;
    return (struct resources){{[CONTEXTS] = before_all - left,
                               [RESIDENT] = resident_kib(),
                               [ALLOCATED] = (long)(mallinfo2().uordblks >> 10),
                               [DESCRIPTORS] = entries("/proc/self/fd"),
                               [TASKS] = entries("/proc/self/task")}};
}

static void tell(int tenths, const struct resources *now)
{
    printf("after %d0%%:", tenths);
    for (int i = 0; i < RESOURCES; i++)
        printf(" %ld %s%s", now->have[i], resources[i].name, i + 1 < RESOURCES ? "," : "\n");
    fflush(stdout);
}

/* Does the test judge this resource? A sanitizer uses memory of its own. */
static bool judged(int resource)
{
#ifdef __SANITIZE_THREAD__
    return resource != RESIDENT && resource != ALLOCATED;
#else
    return resource < RESOURCES;
#endif
}

static void compare(const struct resources *before, const struct resources *after, long comms)
{
    for (int i = 0; i < RESOURCES; i++)
        if (judged(i) && after->have[i] > before->have[i] + resources[i].more + (long)(resources[i].each * comms))
            fail("%ld %s in the end, %ld after a tenth", after->have[i], resources[i].name, before->have[i]);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

static int draw(struct worker *w, int n)
{
    return (int)(random_next(&w->state) % (uint64_t)n);
}

/* A random count: each order of magnitude has the same chance. */
static int draw_count(struct worker *w, const struct type *t)
{
    const int count = draw(w, 1 + (MOST_COUNT >> draw(w, 14)));
    const int most = t->most ? t->most : MOST_COUNT;
    const long extent = labs((long)t->extent) + 1;
    const int fits =
        extent * count <= MOST_BYTES && (long)t->leaves * count <= MOST_LEAVES ? count : (int)(MOST_BYTES / 8 / extent);
    return fits < most ? fits : most;
}

static void check(struct worker *w, const struct buffer *got, const struct buffer *want)
{
    ptrdiff_t at;
    if (buffer_differs(got, want, &at))
        fail("call %ld of a thread, %s of %lld %s: byte %td is %02x, not %02x", w->calls, w->what, (long long)got->count,
             got->type->name, at, got->base[at] & 0xff, want->base[at] & 0xff);
}

static void check_success(struct worker *w, int code)
{
    if (code != MPI_SUCCESS)
        fail("call %ld of a thread, %s: error %d", w->calls, w->what, code);
}

/* Half of the broadcasts make a datatype for the call and free it, so that MPI uses its handle again. */
static void broadcast(struct worker *w, struct call *c, const struct type *t, uint64_t seed)
{
    struct buffer got = buffer_create(t, c->count), want;
    const bool fresh = draw(w, 2);
    buffer_fill(&got, NULL, seed);
    want = buffer_copy(&got);
    if (fresh)
        MPI_Type_dup(t->handle, &c->type);
    c->receive = want.base;
    check_success(w, call_pmpi(c));
    c->receive = got.base;
    check_success(w, call_mpi(c));
    if (fresh)
        MPI_Type_free(&c->type);
    struct buffer expected = buffer_copy(&got); /* with the bytes of the gaps */
    buffer_overlay(&expected, &want, &got);
    check(w, &got, &expected);
    buffer_free(&got);
    buffer_free(&want);
    buffer_free(&expected);
}

static void reduction(struct worker *w, struct call *c, const struct type *t, const struct op *op, uint64_t seed)
{
    int rank;
    MPI_Comm_rank(c->comm, &rank);
    const bool receives = c->collective != COLL_REDUCE || rank == c->root,
               has_result = c->collective != COLL_EXSCAN || rank > 0;
    /* MPI_Reduce of MPICH 4.0.2 itself crashes in place at other roots than 0. */
    const bool in_place = draw(w, 2) && receives && (c->collective != COLL_REDUCE || c->root == 0);
    struct buffer in = buffer_create(t, c->count), want = buffer_create(t, c->count);
    buffer_fill(&in, op, seed);
    struct buffer before = buffer_copy(&in), got = in_place ? buffer_copy(&in) : buffer_create(t, c->count);
    struct buffer expected = buffer_copy(&got);
    c->send = in.base;
    c->receive = want.base;
    check_success(w, call_pmpi(c));
    c->send = in_place ? MPI_IN_PLACE : in.base;
    c->receive = got.base;
    check_success(w, call_mpi(c));
    if (receives && has_result)
        buffer_overlay(&expected, &want, &got);
    check(w, &got, &expected);
    check(w, &in, &before);
    buffer_free(&in);
    buffer_free(&want);
    buffer_free(&before);
    buffer_free(&got);
    buffer_free(&expected);
}

static void call(struct worker *w, MPI_Comm comm)
{
    int ranks, world;
    const struct type *t;
    const struct op *op;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(comm, &ranks);
    struct call c = {.collective = draw(w, COLLECTIVES), .large = draw(w, 2), .comm = comm, .site = draw(w, SITES)};
    do {
        t = &types[draw(w, n_types)];
        op = &ops[draw(w, n_ops)];
    } while (c.collective != COLL_BCAST && !op_applies(op, t));
    const int root = draw(w, 1 << 20); /* one range for all ranks, as their communicators may differ in size */
    c.root = c.collective == COLL_BCAST || c.collective == COLL_REDUCE ? root % ranks : 0;
    c.type = t->handle;
    c.op = op->handle;
    c.count = draw_count(w, t);
    w->what = collective_names[c.collective];
    const uint64_t seed = random_next(&w->state) + (uint64_t)world;
    if (c.collective == COLL_BCAST)
        broadcast(w, &c, t, seed);
    else
        reduction(w, &c, t, op, seed);
    w->calls++;
}

/* ---- Communicators --------------------------------------------------------------------------------------------------- */

static MPI_Comm comm_make(struct worker *w)
{
    MPI_Comm c;
    int rank;
    MPI_Comm_rank(w->base, &rank);
    switch (draw(w, 4)) {
    case 0:
        MPI_Comm_split(w->base, 0, -rank, &c);
        break;
    case 1:
        MPI_Comm_split(w->base, rank % 2, rank, &c);
        break;
    default:
        MPI_Comm_dup(w->base, &c);
    }
    w->comms++;
    return c;
}

/* Does this tenth go on? Rank 0's clock decides. */
static bool goes_on(struct worker *w)
{
    int on = MPI_Wtime() < w->until;
    PMPI_Bcast(&on, 1, MPI_INT, 0, w->base);
    return on;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    while (goes_on(w)) {
        MPI_Comm *c = &w->comm[draw(w, SLOTS)];
        if (*c == MPI_COMM_NULL)
            *c = comm_make(w);
        for (int n = draw(w, CALLS); n >= 0; n--)
            call(w, *c);
        if (draw(w, 2))
            MPI_Comm_free(c);
    }
    for (int i = 0; i < SLOTS; i++)
        if (w->comm[i] != MPI_COMM_NULL)
            MPI_Comm_free(&w->comm[i]);
    return NULL;
}

static void work_for_a_tenth(struct worker *worker, int threads)
{
    for (int i = 0; i < threads; i++)
        worker[i].until = MPI_Wtime() + tenth;
    for (int i = 1; i < threads; i++)
        pthread_create(&worker[i].thread, NULL, work, &worker[i]);
    work(&worker[0]);
    for (int i = 1; i < threads; i++)
        pthread_join(worker[i].thread, NULL);
}

int main(int argc, char **argv)
{
    static struct worker worker[THREADS];
    struct resources before = {0}, now;
    const int threads = argc > 2 ? atoi(argv[2]) : 0;
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    int provided, rank;
    long calls = 0, comms = 0;
    if (threads < 1 || threads > THREADS || (tenth = atof(argv[1]) / TENTHS) <= 0) {
        fprintf(stderr, "usage: soak SECONDS THREADS [SEED]\n");
        return 2;
    }
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    types_create();
    ops_create();
    for (int i = 0; i < threads; i++) {
        worker[i] = (struct worker){.state = seed * THREADS + (uint64_t)i};
        for (int j = 0; j < SLOTS; j++)
            worker[i].comm[j] = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &worker[i].base);
    }
    count_resources(); /* MPI keeps memory for as many communicators as there ever were */
    for (int i = 1; i <= TENTHS; i++) {
        work_for_a_tenth(worker, threads);
        now = count_resources();
        if (i == 1)
            before = now;
        if (rank == 0)
            tell(i, &now);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < threads; i++) {
        calls += worker[i].calls;
        comms += worker[i].comms;
        MPI_Comm_free(&worker[i].base);
    }
    compare(&before, &now, comms);
    ops_free();
    types_free();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("soak ok: %ld calls, %ld communicators\n", calls, comms);
    MPI_Finalize();
    return 0;
}
