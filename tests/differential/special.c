/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases beyond datatypes and operations: other messages at the same time, intercommunicators, order, rounding, size. */
#include "differential.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_COUNT = 60013 };

static const char *form(bool large)
{
    return large ? "_c" : "";
}

/* Makes one call on integers through Pleach and natively, and compares the results. */
static void compare_sum(enum collective collective, bool large, int count, int root, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const struct type *type = type_find("INT");
    struct buffer in = buffer_create(type, count), want = buffer_create(type, count);
    buffer_fill(&in, NULL, random_hash(settings.seed + rank, case_name()));
    if (collective == COLL_BCAST && rank == root)
        buffer_overlay(&want, &in, &in);
    struct buffer got = buffer_copy(&want);
    const int site = random_hash(size, case_name()) % settings.sites;
    struct call c = {collective, large, in.base, want.base, count, type->handle, MPI_SUM, root, comm, site};
    check_success(call_pmpi(&c), "native");
    c.receive = got.base;
    check_success(call_mpi(&c), "the call");
    check_equal(&got, &want, "the result");
    buffer_free(&in);
    buffer_free(&want);
    buffer_free(&got);
}

/*
 * One rank passes its receive buffer as send buffer, too. MPI forbids this. If the MPI library accepts it, the call must
 * have the same effect as with MPI_IN_PLACE on that rank.
 */
static void aliased_on_one(enum collective collective, bool large)
{
    const int count = collective == COLL_ALLREDUCE ? 1 : LARGE_COUNT; /* Open MPI refuses larger counts */
    int rank, size;
    const MPI_Comm comm = communicators[1].handle;
    if (!case_begin("aliased-on-one/%s%s", collective_names[collective], form(large)))
        return;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const struct type *type = type_find("INT");
    const bool twice = rank == size / 2;
    struct buffer in = buffer_create(type, count);
    buffer_fill(&in, NULL, random_hash(settings.seed + rank, case_name()));
    struct buffer want = twice ? buffer_copy(&in) : buffer_create(type, count), got = buffer_copy(&want);
    const int site = random_hash(size, case_name()) % settings.sites;
    struct call c = {collective, large, want.base, want.base, count, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF, site};
    if (call_pmpi(&c) == MPI_SUCCESS) {
        c.comm = comm;
        if (!twice)
            c.send = in.base;
        check_success(call_pmpi(&c), "native");
        if (twice)
            c.send = got.base;
        c.receive = got.base;
        check_success(call_mpi(&c), "the call");
        check_equal(&got, &want, "the result");
    }
    buffer_free(&in);
    buffer_free(&want);
    buffer_free(&got);
}

/* A receive from any source with any tag, which begins before the collective, must get the application's message. */
static void wildcard_receive(enum collective collective, bool large)
{
    if (!case_begin("wildcard-receive/%s%s", collective_names[collective], form(large)))
        return;
    int rank, size, value = -1, done;
    const MPI_Comm comm = communicators[1].handle;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Request request;
    MPI_Status status;
    PMPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    PMPI_Barrier(comm);
    compare_sum(collective, large, LARGE_COUNT, size / 2, comm);
    PMPI_Test(&request, &done, &status);
    if (done)
        case_fail("the application's receive got %d from rank %d, tag %d", value, status.MPI_SOURCE, status.MPI_TAG);
    PMPI_Barrier(comm);
    PMPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, comm);
    PMPI_Wait(&request, &status);
    if (status.MPI_TAG != 7 || value != (rank + size - 1) % size)
        case_fail("the application's receive got %d, tag %d", value, status.MPI_TAG);
}

/* A message that is sent before the collective arrives after it. */
static void early_message(enum collective collective)
{
    if (!case_begin("early-message/%s", collective_names[collective]))
        return;
    int rank, size, value = -1;
    const MPI_Comm comm = communicators[2].handle;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Request request;
    PMPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm, &request);
    compare_sum(collective, false, LARGE_COUNT, size - 1, comm);
    PMPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    if (value != (rank + size - 1) % size)
        case_fail("the application's message was %d", value);
}

/* A nonblocking collective may be pending on the communicator. */
static void pending_collective(enum collective collective)
{
    if (!case_begin("pending-collective/%s", collective_names[collective]))
        return;
    int rank, size, value;
    const MPI_Comm comm = communicators[1].handle;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Request request;
    value = rank == size - 1 ? 42 : 0;
    PMPI_Ibcast(&value, 1, MPI_INT, size - 1, comm, &request);
    compare_sum(collective, true, LARGE_COUNT, 0, comm);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    if (value != 42)
        case_fail("the pending broadcast brought %d", value);
}

/* Calls follow each other at once, on two communicators, without a barrier. */
static void back_to_back(void)
{
    enum { CALLS = 40, COUNT = 5003 };
    if (!case_begin("back-to-back"))
        return;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct type *type = type_find("INT");
    struct buffer in[CALLS], got[CALLS], want[CALLS];
    struct call call[CALLS];
    for (int i = 0; i < CALLS; i++) {
        in[i] = buffer_create(type, COUNT * (1 + i % 3));
        buffer_fill(&in[i], NULL, settings.seed + i);
        got[i] = buffer_copy(&in[i]);
        want[i] = buffer_copy(&in[i]);
        call[i] = (struct call){i * 7 % COLLECTIVES,
                                i % 2,
                                in[i].base,
                                got[i].base,
                                in[i].count,
                                MPI_INT,
                                MPI_SUM,
                                i % size,
                                communicators[i / 3 % 2].handle,
                                i % settings.sites};
    }
    for (int i = 0; i < CALLS; i++)
        check_success(call_mpi(&call[i]), "the call");
    for (int i = 0; i < CALLS; i++) {
        call[i].receive = want[i].base;
        check_success(call_pmpi(&call[i]), "native");
        check_equal(&got[i], &want[i], "the result");
        buffer_free(&in[i]);
        buffer_free(&got[i]);
        buffer_free(&want[i]);
    }
}

/*
 * Calls from one half of MPI_COMM_WORLD to the other. MPI has no scans on intercommunicators. MPICH 4.0.2 gives wrong
 * results here, also without Pleach, if it pretends that blocks of ranks are nodes.
 */
static void intercommunicator(bool large)
{
    static const enum collective collectives[] = {COLL_BCAST, COLL_REDUCE, COLL_ALLREDUCE};
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2 || getenv("MPIR_CVAR_CLIQUES_BY_BLOCK") || !case_begin("intercommunicator%s", form(large)))
        return;
    const int half = rank >= size / 2;
    MPI_Comm mine, inter;
    MPI_Comm_split(MPI_COMM_WORLD, half, rank, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, half ? 0 : size / 2, 3, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    for (int from = 0; from < 2; from++) {
        const int root = half != from ? 0 : rank == (from ? size / 2 : 0) ? MPI_ROOT : MPI_PROC_NULL;
        const struct type *type = type_find("INT");
        struct buffer in = buffer_create(type, LARGE_COUNT), want = buffer_create(type, LARGE_COUNT);
        buffer_fill(&in, NULL, settings.seed + rank);
        for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++) {
            struct buffer got = buffer_copy(&want);
            struct call c = {collectives[i], large, in.base, want.base, LARGE_COUNT, MPI_INT, MPI_SUM, root, inter, 0};
            check_success(call_pmpi(&c), "native");
            c.receive = got.base;
            check_success(call_mpi(&c), "the call");
            check_equal(&got, &want, "the result");
            buffer_free(&got);
        }
        buffer_free(&in);
        buffer_free(&want);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&mine);
}

/* Has every rank the bits that rank 0 has? */
static void check_same_everywhere(const double *result, int count)
{
    double *first = malloc(count * sizeof *first);
    memcpy(first, result, count * sizeof *first);
    PMPI_Bcast(first, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        if (memcmp(&result[i], &first[i], sizeof *first) != 0)
            case_fail("element %d is %.17g, on rank 0 %.17g", i, result[i], first[i]);
    free(first);
}

/*
 * Sums that depend on the order of evaluation: they must be near the native result, and have the same bits in each call. An
 * allreduce must have the same bits on all ranks.
 */
static void rounding(enum collective collective, bool large, int site)
{
    enum { COUNT = 30011 };
    if (!case_begin("rounding/%s%s/site%d", collective_names[collective], form(large), site))
        return;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int root = size - 1;
    double *in = malloc(COUNT * sizeof *in), *result[3];
    uint64_t state = settings.seed + rank;
    for (int i = 0; i < COUNT; i++)
        in[i] = ((double)random_next(&state) - 0x1p63) / (double)random_next(&state);
    double bound, *size_of = malloc(COUNT * sizeof *size_of), *sums = malloc(COUNT * sizeof *sums);
    for (int i = 0; i < COUNT; i++)
        size_of[i] = fabs(in[i]);
    PMPI_Allreduce(size_of, sums, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

    for (int i = 0; i < 3; i++) {
        result[i] = calloc(COUNT, sizeof(double));
        struct call c = {collective, large, in, result[i], COUNT, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD, site};
        check_success(i == 0 ? call_pmpi(&c) : call_mpi(&c), "the call");
    }
    if (memcmp(result[1], result[2], COUNT * sizeof(double)) != 0)
        case_fail("two equal calls gave different bits");
    if (collective == COLL_ALLREDUCE)
        check_same_everywhere(result[1], COUNT);
    for (int i = 0; i < COUNT; i++) {
        bound = size * DBL_EPSILON * sums[i];
        if (!(fabs(result[1][i] - result[0][i]) <= bound))
            case_fail("element %d is %.17g, natively %.17g", i, result[1][i], result[0][i]);
    }
    for (int i = 0; i < 3; i++)
        free(result[i]);
    free(in);
    free(size_of);
    free(sums);
}

static void one_large(enum collective collective, bool large)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!settings.quick && case_begin("large/%s%s", collective_names[collective], form(large)))
        compare_sum(collective, large, 1000003, size / 3, MPI_COMM_WORLD);
}

void special_cases(void)
{
    for (enum collective c = 0; c < COLLECTIVES; c++) {
        early_message(c);
        pending_collective(c);
        for (int large = 0; large < 2; large++) {
            wildcard_receive(c, large);
            if (c != COLL_BCAST && c != COLL_REDUCE)
                aliased_on_one(c, large);
            one_large(c, large);
            for (int site = settings.sites > 1 ? large : 0; c != COLL_BCAST && site < settings.sites; site += 2)
                rounding(c, large, site);
        }
    }
    back_to_back();
    intercommunicator(false);
    intercommunicator(true);
}
