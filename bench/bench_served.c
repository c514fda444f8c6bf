/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the nanoseconds that a call spends in Pleach, without the MPI library. There are four cases: the settings name
 * the engine that serves, the history has found that engine the best, the history has found the native call the best, or
 * the settings name engines of shared memory. The call is short, has one block, and repeats an earlier call. After a few
 * real calls, functions that do nothing replace the MPI functions that the call uses. So the remaining time is Pleach's.
 *
 * In shared memory, rank 0 needs no data of rank 1, which has left all rounds to come. Rank 0 is the root of broadcasts, the
 * first rank of scans, and not the root of reductions. So it never waits. In all-reduces it would.
 */
#include "comm.h"
#include "interpose.h"
#include "library.h"
#include "process.h"
#include "seconds.h"
#include "segment.h"

#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 20000, REPEAT = 15, COUNT = 1 }; /* messages of 8 bytes */

static double in[COUNT], out[COUNT];
static int last_tag; /* the tag that a message from the other rank would have */

static int bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c)
{
    (void)b, (void)n, (void)t, (void)root, (void)c;
    return MPI_SUCCESS;
}

static int reduce(const void *i, void *o, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c)
{
    (void)i, (void)o, (void)n, (void)t, (void)op, (void)root, (void)c;
    return MPI_SUCCESS;
}

static int reduce_local(const void *i, void *o, int n, MPI_Datatype t, MPI_Op op)
{
    (void)i, (void)o, (void)n, (void)t, (void)op;
    return MPI_SUCCESS;
}

static int sendrecv(const void *a, int n, MPI_Datatype t, int to, int tag, void *b, int m, MPI_Datatype u, int from, int any,
                    MPI_Comm c, MPI_Status *status)
{
    (void)a, (void)n, (void)t, (void)to, (void)b, (void)m, (void)u, (void)from, (void)any, (void)c;
    status->MPI_TAG = tag;
    return MPI_SUCCESS;
}

static int issend(const void *a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
    (void)a, (void)n, (void)t, (void)to, (void)c, (void)r;
    last_tag = tag;
    return MPI_SUCCESS;
}

static int recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *status)
{
    (void)b, (void)n, (void)t, (void)from, (void)tag, (void)c;
    status->MPI_TAG = last_tag;
    return MPI_SUCCESS;
}

static int probe(int from, int tag, MPI_Comm c, int *there, MPI_Status *status)
{
    (void)from, (void)tag, (void)c, (void)status;
    *there = 0;
    return MPI_SUCCESS;
}

static int wait_for(MPI_Request *r, MPI_Status *status)
{
    (void)r, (void)status;
    return MPI_SUCCESS;
}

static int type_extent(MPI_Datatype t, MPI_Count *low, MPI_Count *extent)
{
    (void)t;
    *low = 0;
    *extent = sizeof in[0];
    return MPI_SUCCESS;
}

static int type_size(MPI_Datatype t, MPI_Count *size)
{
    (void)t;
    *size = sizeof in[0];
    return MPI_SUCCESS;
}

static int type_envelope(MPI_Datatype t, int *ints, int *aints, int *types, int *combiner)
{
    (void)t;
    *ints = *aints = *types = 0;
    *combiner = MPI_COMBINER_NAMED;
    return MPI_SUCCESS;
}

static int native_bcast(void *b, argument n, argument t, argument root, argument c)
{
    (void)b, (void)n, (void)t, (void)root, (void)c;
    return MPI_SUCCESS;
}

static int native_reduce(const void *i, void *o, argument n, argument t, argument op, argument root, argument c)
{
    (void)i, (void)o, (void)n, (void)t, (void)op, (void)root, (void)c;
    return MPI_SUCCESS;
}

static int native_unrooted(const void *i, void *o, argument n, argument t, argument op, argument c)
{
    (void)i, (void)o, (void)n, (void)t, (void)op, (void)c;
    return MPI_SUCCESS;
}

static void replace_mpi(void)
{
    pmpi.native[COLL_BCAST][0] = native_bcast;
    pmpi.native[COLL_REDUCE][0] = native_reduce;
    pmpi.native[COLL_SCAN][0] = pmpi.native[COLL_EXSCAN][0] = pmpi.native[COLL_ALLREDUCE][0] = native_unrooted;
    pmpi.Bcast = bcast;
    pmpi.Reduce = reduce;
    pmpi.wire = (struct wire){.Reduce_local = reduce_local,
                              .Sendrecv = sendrecv,
                              .Isend = issend,
                              .Issend = issend,
                              .Iprobe = probe,
                              .Recv = recv,
                              .Wait = wait_for};
    pmpi.Type_get_extent_x = pmpi.Type_get_true_extent_x = type_extent;
    pmpi.Type_size_x = type_size;
    pmpi.Type_get_envelope = type_envelope;
    pmpi.Type_get_envelope_c = NULL;
}

static double nanoseconds(const struct call *c)
{
    double start = seconds_now();
    for (int i = 0; i < CALLS; i++)
        intercept(c, __builtin_return_address(0));
    return (seconds_now() - start) / CALLS * 1e9;
}

/* Returns the least of many times: the others were disturbed. */
static double least_nanoseconds(const struct call *c)
{
    double least = 1e18;
    for (int k = 0; k < REPEAT; k++) {
        double t = nanoseconds(c);
        least = t < least ? t : least;
    }
    return least;
}

/* Makes the history say that the engine of this row is the best for such calls, as if trials had shown it. */
static void settle(struct comm *comm, const struct call *c, int row)
{
    const double seconds = 1;
    struct facts f;
    describe(c, comm, &f);
    struct kind *k = history_find(comm->known.history, &f);
    if (!k)
        k = history_enter(comm->known.history, &f, false, 0, &row, &seconds, 1);
    k->state = KIND_SETTLED;
    k->best = (uint8_t)row;
}

/* The engine that is timed: butterfly where chain does not serve. */
static const struct engine *serving(enum collective c)
{
    return engine_find(c == COLL_ALLREDUCE ? "butterfly" : "chain");
}

enum { NAMED, LEARNED, LEARNED_NATIVE, SHARED, WAYS };

/* Times calls in shared memory. Calls on the duplicate use the private communicator of MPI_COMM_WORLD. */
static void time_shared(const struct call *calls, double ns[COLLECTIVES][WAYS], int rank)
{
    const struct settings before = process.settings;
    const struct pmpi real = pmpi;
    MPI_Comm alike;
    PMPI_Comm_dup(MPI_COMM_WORLD, &alike);
    process.settings.shared = INT64_C(64) << 20;
    for (int i = 0; i < COLLECTIVES; i++) {
        const struct engine *e = engine_find(i == COLL_BCAST ? "node-copy" : "node-flat");
        process.settings.engine[i] = (struct engine_setting){.rows = UINT64_C(1) << engine_row(e), .named = true};
    }
    struct call shared[COLLECTIVES];
    for (int i = 0; i < COLLECTIVES; i++) {
        shared[i] = calls[i];
        shared[i].comm = (argument)alike;
        shared[i].root = i == COLL_REDUCE;
        ns[i][SHARED] = 0;
        for (int k = 0; k < 2; k++)
            intercept(&shared[i], __builtin_return_address(0));
    }
    PMPI_Barrier(alike); /* from here on, rank 1 does not write to the segment */
    const struct segment *s = comm_of(alike, NULL, NULL)->channel.segment;
    if (s && rank == 0) {
        segment_set(&segment_rank(s, 1)->out, INT64_MAX / 2);
        replace_mpi();
        for (int i = 0; i < COLLECTIVES; i++)
            ns[i][SHARED] = i == COLL_ALLREDUCE ? 0 : least_nanoseconds(&shared[i]);
        pmpi = real;
    }
    PMPI_Barrier(alike);
    PMPI_Comm_free(&alike);
    process.settings = before;
}

int main(int argc, char **argv)
{
    double ns[COLLECTIVES][WAYS];
    struct call calls[COLLECTIVES];
    int rank;
    setenv("PLEACH_THRESHOLD", "0", 1);
    setenv("PLEACH_ENGINE", "chain,butterfly", 1);
    setenv("PLEACH_BLOCK", "1M", 1); /* then the library measures nothing */
    setenv("PLEACH_REPRODUCIBLE", "no", 1);
    setenv("PLEACH_SHARED", "no", 1); /* MPI functions that do nothing would leave a rank waiting for the other */
    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COLLECTIVES; i++) {
        calls[i] = (struct call){.collective = (enum collective)i,
                                 .in = in,
                                 .out = out,
                                 .count = COUNT,
                                 .datatype = MPI_DOUBLE,
                                 .op = MPI_SUM,
                                 .comm = MPI_COMM_WORLD};
        for (int k = 0; k < 2; k++)
            intercept(&calls[i], __builtin_return_address(0));
    }
    time_shared(calls, ns, rank);
    struct comm *comm = comm_of(MPI_COMM_WORLD, NULL, NULL);
    struct pmpi before = pmpi;
    replace_mpi();
    for (int i = 0; i < COLLECTIVES; i++)
        ns[i][NAMED] = least_nanoseconds(&calls[i]);
    comm->known.machine.measured = true;
    comm->known.machine.oversubscribed = 0;
    for (int i = 0; i < COLLECTIVES; i++) {
        process.settings.engine[i] = (struct engine_setting){.rows = UINT64_MAX};
        comm_knows_machine(comm); /* drops answers that were kept under the other settings */
        settle(comm, &calls[i], engine_row(serving((enum collective)i)));
        ns[i][LEARNED] = least_nanoseconds(&calls[i]);
        settle(comm, &calls[i], 0);
        ns[i][LEARNED_NATIVE] = least_nanoseconds(&calls[i]);
    }
    pmpi = before;
    if (rank == 0)
        printf("ns in Pleach, not in MPI\n%-10s %6s %8s %8s %8s %8s\n", "collective", "ranks", "named", "learned", "native",
               "shared");
    for (int i = 0; i < COLLECTIVES && rank == 0; i++) {
        printf("%-10s %6d %8.1f %8.1f %8.1f ", collective_name((enum collective)i), 2, ns[i][NAMED], ns[i][LEARNED],
               ns[i][LEARNED_NATIVE]);
        if (ns[i][SHARED] > 0)
            printf("%8.1f\n", ns[i][SHARED]);
        else
            printf("%8s\n", "-");
    }
    PMPI_Finalize();
    return 0;
}
