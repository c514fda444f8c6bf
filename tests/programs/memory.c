/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory: one rank lacks scratch memory in the first large reduction; the result must be right all the same. On that rank
 * malloc and its relatives refuse memory to Pleach's libraries. (A limit on the address
 * space is no test: MPICH and UCX need memory as well, and hang or abort without it.)
 *     memory [BYTES]    refuses allocations of BYTES or more, by default of a page
 *     memory late       refuses all allocations after some calls that had memory; an error on one rank must not make others
 *                       hang
 */
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 400009 };

static bool refuses; /* Pleach gets no memory */
static size_t refused_bytes = 4096;
static int refusals;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static bool refuse(const void *caller, size_t bytes)
{
    Dl_info info;
    if (!refuses || bytes < refused_bytes || !dladdr(caller, &info) || !strstr(info.dli_fname, "/libpleach"))
        return false;
    refusals++;
    errno = ENOMEM;
    return true;
}

/* Exported even if the compiler hides symbols by default. */
#define EXPORTED __attribute__((visibility("default")))
#define REFUSE(bytes) refuse(__builtin_return_address(0), bytes)

EXPORTED void *malloc(size_t bytes)
{
    return REFUSE(bytes) ? NULL : __libc_malloc(bytes);
}

EXPORTED void *calloc(size_t n, size_t bytes)
{
    return REFUSE(n * bytes) ? NULL : __libc_calloc(n, bytes);
}

EXPORTED void *realloc(void *old, size_t bytes)
{
    return REFUSE(bytes) ? NULL : __libc_realloc(old, bytes);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
    return REFUSE(bytes) ? NULL : __libc_memalign(alignment, bytes);
}

EXPORTED int posix_memalign(void **result, size_t alignment, size_t bytes)
{
    return REFUSE(bytes) || !(*result = __libc_memalign(alignment, bytes)) ? ENOMEM : 0;
}

static int data[COUNT], sums[COUNT];

static void check(int rank, int factor, const char *what)
{
    for (int i = 0; i < COUNT; i++) {
        if (sums[i] != factor * data[i]) {
            fprintf(stderr, "memory: %s: element %d is wrong on rank %d\n", what, i, rank);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

static void collectives(MPI_Comm comm, const char *what)
{
    int rank, size;
    MPI_Datatype every_second; /* must be packed */
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Type_vector(COUNT / 2, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);

    MPI_Reduce(data, sums, COUNT, MPI_INT, MPI_SUM, size - 1, comm);
    if (rank == size - 1)
        check(rank, size, what);
    MPI_Scan(data, sums, COUNT, MPI_INT, MPI_SUM, comm);
    check(rank, rank + 1, what);
    MPI_Exscan(MPI_IN_PLACE, sums, COUNT, MPI_INT, MPI_MAX, comm);
    check(rank, rank > 0 ? rank : 1, what);
    MPI_Allreduce(data, sums, COUNT, MPI_INT, MPI_SUM, comm);
    check(rank, size, what);
    MPI_Allreduce(MPI_IN_PLACE, sums, COUNT, MPI_INT, MPI_MIN, comm);
    check(rank, size, what);
    for (int i = 0; i < COUNT; i++)
        sums[i] = rank == 0 || i % 2 ? data[i] : -1;
    sums[COUNT - 1] = data[COUNT - 1]; /* COUNT is odd, and the vector lacks the last element */
    MPI_Bcast(sums, 1, every_second, 0, comm);
    check(rank, 1, what);
    MPI_Type_free(&every_second);
}

/*
 * The number of ranks that get an error from a broadcast in which rank 1 has a datatype with gaps, the others MPI_INT. A
 * layout with another length of blocks, 1 to 3, is new to the library.
 */
static int errors_from(int root, int rank, int length)
{
    enum { HALF = COUNT / 2 };
    int error, all = 0, errors[64], size;
    MPI_Datatype half;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(HALF / length, length, 2 * length, MPI_INT, &half);
    MPI_Type_commit(&half);
    error = MPI_Bcast(sums, rank == 1 ? 1 : HALF, rank == 1 ? half : MPI_INT, root, MPI_COMM_WORLD);
    MPI_Type_free(&half);
    error = error != MPI_SUCCESS;
    MPI_Allgather(&error, 1, MPI_INT, errors, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        all += errors[r];
    return all;
}

static void too_late(int rank)
{
    int before, later[2], again;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    before = errors_from(0, rank, 1) + errors_from(1, rank, 1);
    refused_bytes = 0;
    if (rank == 1)
        refuses = true;
    for (int root = 0; root < 2; root++)
        later[root] = errors_from(root, rank, 2);
    refuses = false;
    again = errors_from(0, rank, 3) + errors_from(1, rank, 3);
    if (rank == 0)
        printf("memory %s: errors on %d ranks from rank 0, on %d from rank 1\n", before || again ? "bad" : "ok", later[0],
               later[1]);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm second;
    bool late = argc > 1 && strcmp(argv[1], "late") == 0;
    if (argc > 1 && !late)
        refused_bytes = strtoul(argv[1], NULL, 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COUNT; i++)
        data[i] = i;

    if (late) {
        too_late(rank);
        MPI_Finalize();
        return 0;
    }
    if (rank == 1)
        refuses = true;
    collectives(MPI_COMM_WORLD, "nothing from malloc");
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    collectives(second, "nothing from malloc, second communicator");
    refuses = false;
    collectives(second, "memory again");

    MPI_Comm_free(&second);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("memory ok");
    if (rank == 1 && refusals)
        fprintf(stderr, "memory: refused %d times\n", refusals);
    MPI_Finalize();
}
