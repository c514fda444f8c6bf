/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress: ranks that wait in a collective call serve the other traffic of the program. The last rank makes one-sided
 * operations on each other rank, or ends a nonblocking collective that all have begun, while the other ranks wait for it in
 * a call. Only then it makes the call, too. By the counts of fakes/drives.c, the waiting ranks must have driven MPI far more
 * often than they have rested. Prints "progress ok".
 *     progress [memory] [crowded]
 * memory: ranks wait in shared memory alone, so they must have driven MPI, and errno must stay as it is. crowded: ranks may
 * rest as often as they drive MPI, as where there are more ranks than cores.
 *
 * In some MPI libraries, operations need nothing of the rank on which they are made. Then the program says so, and does not
 * look at the counts.
 */
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 4096, ROWS = 8, OPERATIONS = 500, WARM = 300, LEAST = 10, FEW = 100 };

static int rank, ranks, last, errors;
static double in[COUNT], out[COUNT];
static struct {
    int drawn, locked, column[ROWS][2];
} memory; /* of this rank, on which the last rank makes its operations */
static MPI_Win window;
static MPI_Datatype column; /* every other number of memory.column */

static void report(const char *what, const char *where, long got, long wanted)
{
    printf("progress: rank %d, %s, %s: %ld instead of %ld\n", rank, what, where, got, wanted);
    errors++;
}

/* ---- Calls in which ranks wait --------------------------------------------------------------------------------------- */

enum { BCAST, REDUCE, ALLREDUCE, CALLS };
static const char *const call_name[] = {"bcast", "reduce", "allreduce"};

/* Does a rank other than the last one wait in the call? In a reduction, only the root surely does. */
static int waits(int call, int r)
{
    return r != last && (call != REDUCE || r == 0);
}

static void make_call(int call)
{
    for (int i = 0; i < COUNT; i++) {
        in[i] = rank + 1;
        out[i] = rank == last ? 7 : 0;
    }
    if (call == BCAST)
        MPI_Bcast(out, COUNT, MPI_DOUBLE, last, MPI_COMM_WORLD);
    else if (call == REDUCE)
        MPI_Reduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double wanted = call == BCAST ? 7 : ranks * (ranks + 1) / 2.0;
    for (int i = 0; i < COUNT && (call != REDUCE || rank == 0); i++)
        if (out[i] != wanted) {
            report("a result", call_name[call], (long)out[i], (long)wanted);
            break;
        }
}

/* ---- Other traffic ---------------------------------------------------------------------------------------------------- */

static void draw(int to)
{
    const int one = 1;
    int number;
    MPI_Fetch_and_op(&one, &number, MPI_INT, to, offsetof(__typeof__(memory), drawn), MPI_SUM, window);
    MPI_Win_flush(to, window);
}

static void swap(int to)
{
    int now, next;
    MPI_Get(&now, 1, MPI_INT, to, offsetof(__typeof__(memory), locked), 1, MPI_INT, window);
    MPI_Win_flush(to, window);
    next = now + 1;
    int found;
    MPI_Compare_and_swap(&next, &now, &found, MPI_INT, to, offsetof(__typeof__(memory), locked), window);
    MPI_Win_flush(to, window);
    if (found != now)
        report("a swap", "found", found, now);
}

static void accumulate(int to)
{
    static const int ones[ROWS] = {1, 1, 1, 1, 1, 1, 1, 1};
    MPI_Accumulate(ones, ROWS, MPI_INT, to, offsetof(__typeof__(memory), column), 1, column, MPI_SUM, window);
    MPI_Win_flush(to, window);
}

static const struct {
    const char *name;
    void (*operation)(int to); /* NULL: a nonblocking collective */
} traffic[] = {{"fetch-and-op", draw},
               {"compare-and-swap", swap},
               {"accumulate", accumulate},
               {"barrier", NULL},
               {"nonblocking all-reduce", NULL}};

enum { BARRIER = 3, KINDS = 5 };

static void begin(int kind, int sum[2], MPI_Request *request)
{
    sum[0] = 1;
    if (kind == BARRIER)
        MPI_Ibarrier(MPI_COMM_WORLD, request);
    else
        MPI_Iallreduce(sum, sum + 1, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request);
}

/* ---- Do operations need the rank on which they are made? -------------------------------------------------------------- */

/*
 * Rank 0 calls nothing of MPI for a second, or until it gets a signal. The last rank sends the signal when an operation on
 * rank 0 has ended. An operation that needs rank 0 does not end before.
 */
static int needs_target(void)
{
    int pid = getpid(), needed = 1;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR2);
    if (rank == 0) {
        MPI_Send(&pid, 1, MPI_INT, last, 0, MPI_COMM_WORLD);
        needed = sigtimedwait(&signals, NULL, &(struct timespec){.tv_sec = 1}) != SIGUSR2;
    } else if (rank == last) {
        MPI_Recv(&pid, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(100000); /* rank 0 has left MPI_Send */
        draw(0);
        kill(pid, SIGUSR2);
    }
    PMPI_Bcast(&needed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return needed;
}

/* ---- The test --------------------------------------------------------------------------------------------------------- */

static atomic_long none, *driven = &none, *rests = &none;

static void find_counts(void)
{
    *(void **)&driven = dlsym(RTLD_DEFAULT, "drives_made");
    *(void **)&rests = dlsym(RTLD_DEFAULT, "drives_rests");
    if (!driven || !rests) {
        driven = rests = &none;
        errors += rank == 0 && puts("progress: nobody counts");
    }
}

/*
 * The ranks wait in this call while the last rank makes operations of this kind. A waiting rank must drive MPI `least`
 * times, and `share` times as often as it rests; 0: the counts tell nothing.
 */
static void serve(int call, int kind, int least, int share)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int sum[2] = {0, ranks};
    MPI_Barrier(MPI_COMM_WORLD);
    if (!traffic[kind].operation)
        begin(kind, sum, &request);
    const long before = *driven, rested = *rests;
    for (int r = 0; rank == last && traffic[kind].operation && r < last; r++)
        for (int i = 0; waits(call, r) && i < OPERATIONS; i++)
            traffic[kind].operation(r);
    if (rank == last)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    errno = EDOM;
    make_call(call);
    const int left = errno;
    const long drives = *driven - before, pauses = *rests - rested;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (sum[1] != ranks)
        report(traffic[kind].name, call_name[call], sum[1], ranks);
    if (!waits(call, rank) || !traffic[kind].operation || !share)
        return;
    if (least && left != EDOM)
        report("errno", call_name[call], left, EDOM);
    if (drives < least)
        report("drives", call_name[call], drives, least);
    if (pauses > drives / share + FEW)
        report("rests", call_name[call], pauses, drives / share);
}

static void check_memory(void)
{
    const int calls = rank == 0 ? CALLS : rank == last ? 0 : CALLS - 1, wanted = calls * OPERATIONS;
    if (memory.drawn != wanted + (rank == 0))
        report("drawn", "memory", memory.drawn, wanted + (rank == 0));
    if (memory.locked != wanted)
        report("locked", "memory", memory.locked, wanted);
    for (int i = 0; i < ROWS; i++)
        if (memory.column[i][0] != wanted || memory.column[i][1] != 0)
            report("a column", "memory", memory.column[i][0], wanted);
}

int main(int argc, char **argv)
{
    int all, least = 0, share = 4;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR2);
    sigprocmask(SIG_BLOCK, &signals, NULL); /* for needs_target(), in all threads that MPI makes */
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "memory") == 0)
            least = LEAST;
        else
            share = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    last = ranks - 1;
    find_counts();
    MPI_Type_vector(ROWS, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD); /* the lock may need other ranks */
    if (!needs_target()) {
        least = share = 0;
        if (rank == 0)
            puts("progress: operations need nothing of their target");
    }
    for (int call = 0; call < CALLS; call++)
        for (int i = 0; i < WARM; i++)
            make_call(call);
    for (int call = 0; call < CALLS; call++)
        for (int kind = 0; kind < KINDS; kind++)
            serve(call, kind, least, share);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    check_memory();
    MPI_Win_unlock(rank, window);
    MPI_Win_free(&window);
    MPI_Type_free(&column);
    PMPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "progress failed" : "progress ok");
    MPI_Finalize();
    return 0;
}
