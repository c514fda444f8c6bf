/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device: makes collective calls with buffers in device memory (fakes/device.c). Their results must equal those of native
 * calls with buffers in host memory, in each byte, the gaps included.
 *     device DRIVER [lack]    loads DRIVER after the calls with host memory, and before those with device memory. With
 *                             `lack', rank 0 lacks memory for its host copies in two further calls.
 */
#include "made_device.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 3001, INTS = 4, SPAN = COUNT * INTS }; /* elements; ints of the longest element; ints of all elements */
enum { BCAST, REDUCE, SCAN, EXSCAN, ALLREDUCE, COLLECTIVES };
enum { IN = 1, OUT = 2 };

static const char *const names[] = {"bcast", "reduce", "scan", "exscan", "allreduce"};
static int rank, ranks, failures, calls;
static device_alloc_fn *allocate;
static device_seen_fn *seen;

static struct {
    MPI_Datatype type;
    MPI_Op op;
} kinds[3];

/* Composes maps x -> ax + b, an operation that does not commute. Ints 0 and 2 of the 4 of an element are a and b. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    unsigned *f = in, *g = inout;
    (void)type;
    for (int i = 0; i < *n; i++, f += INTS, g += INTS) {
        g[2] += g[0] * f[2];
        g[0] *= f[0];
    }
}

static void make_kinds(void)
{
    MPI_Datatype pair;
    kinds[0].type = MPI_INT;
    kinds[0].op = MPI_SUM;
    kinds[1].type = MPI_DOUBLE;
    kinds[1].op = MPI_SUM;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, INTS * sizeof(int), &kinds[2].type);
    MPI_Type_commit(&kinds[2].type);
    MPI_Type_free(&pair);
    MPI_Op_create(compose, 0, &kinds[2].op);
}

static int call(int collective, int kind, const void *in, void *out, int root, int native)
{
    const MPI_Datatype t = kinds[kind].type;
    const MPI_Op op = kinds[kind].op;
    const MPI_Comm c = MPI_COMM_WORLD;
    switch (collective) {
    case BCAST:
        return native ? PMPI_Bcast(out, COUNT, t, root, c) : MPI_Bcast(out, COUNT, t, root, c);
    case REDUCE:
        return native ? PMPI_Reduce(in, out, COUNT, t, op, root, c) : MPI_Reduce(in, out, COUNT, t, op, root, c);
    case SCAN:
        return native ? PMPI_Scan(in, out, COUNT, t, op, c) : MPI_Scan(in, out, COUNT, t, op, c);
    case EXSCAN:
        return native ? PMPI_Exscan(in, out, COUNT, t, op, c) : MPI_Exscan(in, out, COUNT, t, op, c);
    default:
        return native ? PMPI_Allreduce(in, out, COUNT, t, op, c) : MPI_Allreduce(in, out, COUNT, t, op, c);
    }
}

/* Small whole numbers: their sums are exact. */
static void fill(int kind, int salt, void *data)
{
    for (int i = 0; i < SPAN; i++)
        if (kind == 1 && i % 2 == 0)
            ((double *)data)[i / 2] = (i * 7 + salt) % 1000;
        else if (kind != 1)
            ((int *)data)[i] = (i * 7 + salt) % 1000;
}

/* `device` has IN, OUT or both: these buffers lie in device memory on this rank. */
static void try(int collective, int kind, int root, int in_place, int device)
{
    static int host[4][SPAN];
    static int *memory[2];
    const int bytes = SPAN * (int)sizeof(int);
    for (int i = 0; i < 2 && allocate && !memory[i]; i++)
        memory[i] = allocate(bytes);
    int *in = device & IN ? memory[0] : host[0], *out = device & OUT ? memory[1] : host[1];
    int *in_seen = device & IN ? seen(in) : in, *out_seen = device & OUT ? seen(out) : out;
    in_place = in_place && collective != BCAST && (collective != REDUCE || rank == root);
    fill(kind, rank, in_seen);
    fill(kind, in_place ? rank : rank + 500, out_seen);
    fill(kind, rank, host[2]);
    fill(kind, in_place ? rank : rank + 500, host[3]);
    call(collective, kind, in_place ? MPI_IN_PLACE : in, out, root, 0);
    /* MPICH's own reduction in place crashes, see native_mended(). */
    call(collective, kind, in_place && collective != REDUCE ? MPI_IN_PLACE : host[2], host[3], root, 1);
    calls++;
    if (memcmp(out_seen, host[3], bytes) != 0 || memcmp(in_seen, host[2], bytes) != 0) {
        if (failures++ < 5)
            printf("rank %d: %s, kind %d, root %d%s, device memory %d: wrong\n", rank, names[collective], kind, root,
                   in_place ? ", in place" : "", device);
    }
}

/*
 * Makes all calls. `who` selects the ranks that use device memory for the buffers `where`: 0: all, 1: odd ranks, 2: rank 0.
 */
static void try_all(int where, int who)
{
    const int device = who == 0 || (who == 1 && rank % 2) || (who == 2 && rank == 0) ? where : 0;
    for (int collective = 0; collective < COLLECTIVES; collective++)
        for (int kind = 0; kind < 3; kind++)
            for (int root = 0; root < (collective <= REDUCE ? ranks : 1); root++)
                for (int in_place = 0; in_place < 2; in_place++)
                    try(collective, kind, root, in_place, device);
}

/* ---- A rank without memory ------------------------------------------------------------------------------------------- */

static int refuses;
void *__libc_memalign(size_t alignment, size_t bytes);

/* Refuses the library under test memory for a copy of a message. The attribute exports this under -fvisibility=hidden. */
__attribute__((visibility("default"))) void *aligned_alloc(size_t alignment, size_t bytes)
{
    Dl_info info;
    bool refused = refuses && bytes >= SPAN * sizeof(int) && dladdr(__builtin_return_address(0), &info) &&
                   strstr(info.dli_fname, "libpleach");
    return refused ? NULL : __libc_memalign(alignment, bytes);
}

/* An all-reduce in which rank 0 lacks memory is an error on all ranks, as all need its input. A later one must be right. */
static void try_lack(void)
{
    int *in = allocate(SPAN * sizeof(int)), *out = allocate(SPAN * sizeof(int)), error, class;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++) {
        refuses = rank == 0;
        error = MPI_Allreduce(in, out, SPAN, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        refuses = 0;
        MPI_Error_class(error, &class);
        if (class == MPI_SUCCESS || (rank == 0) != (class == MPI_ERR_NO_MEM)) {
            printf("rank %d: error class %d without memory\n", rank, class);
            failures++;
        }
    }
    try(ALLREDUCE, 0, 0, 0, IN | OUT);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    make_kinds();
    try_all(0, 0);
    void *driver = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;
    void (*start)(void) = driver ? (void (*)(void))dlsym(driver, "driver_start") : NULL;
    allocate = (device_alloc_fn *)dlsym(RTLD_DEFAULT, "device_alloc");
    seen = (device_seen_fn *)dlsym(RTLD_DEFAULT, "device_seen");
    if (!start || !allocate || !seen)
        MPI_Abort(MPI_COMM_WORLD, 1);
    try_all(0, 0);
    usleep(20000); /* real drivers take longer to start */
    start();
    for (int where = 1; where <= (IN | OUT); where++)
        for (int who = 0; who < 3; who++)
            try_all(where, who);
    if (argc > 2)
        try_lack();
    int (*hip_error)(void) = (int (*)(void))dlsym(driver, "hipGetLastError");
    failures += hip_error() != 0; /* the library under test must have left no error for the program */
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("device: %d calls, %s\n", calls, all ? "WRONG" : "ok");
    MPI_Finalize();
    return all != 0;
}
