/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One rank has no memory for scratch when the first large reduction of a communicator comes: the result must be right
 * none the less. Twice: once the library that intercepts MPI_Reduce, if there is one, gets nothing from malloc and its
 * relatives; once the whole process may not grow. Native MPI needs scratch too, so it gets its turn before that: what
 * it frees stays in the heap. `memory BYTES` refuses from that size on (default: a page).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { COUNT = 400009, SPARE = 16 << 10 };

static void *refused_library; /* where it is loaded, NULL: nothing is refused */
static size_t refused_bytes = 4096;
static int refusals;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static bool refuse(const void *caller, size_t bytes)
{
    Dl_info info;
    if (!refused_library || bytes < refused_bytes || !dladdr(caller, &info) || info.dli_fbase != refused_library)
        return false;
    refusals++;
    errno = ENOMEM;
    return true;
}

/* Also where the compiler is told to hide what is not exported. */
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

static void refuse_the_interceptor(void)
{
    Dl_info intercepts, native;
    if (dladdr(dlsym(RTLD_DEFAULT, "MPI_Reduce"), &intercepts) &&
        dladdr(dlsym(RTLD_DEFAULT, "PMPI_Reduce"), &native) && intercepts.dli_fbase != native.dli_fbase)
        refused_library = intercepts.dli_fbase;
}

static size_t address_space(void)
{
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%zu", &pages) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(f);
    return pages * 4096;
}

static rlim_t limit(rlim_t bytes)
{
    struct rlimit l;
    getrlimit(RLIMIT_AS, &l);
    const rlim_t old = l.rlim_cur;
    l.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &l);
    return old;
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

static void reduce_and_scan(MPI_Comm comm, const char *what)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Reduce(data, sums, COUNT, MPI_INT, MPI_SUM, size - 1, comm);
    if (rank == size - 1)
        check(rank, size, what);
    MPI_Scan(data, sums, COUNT, MPI_INT, MPI_SUM, comm);
    check(rank, rank + 1, what);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm second;
    if (argc > 1)
        refused_bytes = strtoul(argv[1], NULL, 0);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    for (int i = 0; i < COUNT; i++)
        data[i] = i - 1000;

    if (rank == 1)
        refuse_the_interceptor();
    reduce_and_scan(MPI_COMM_WORLD, "nothing from malloc");
    refused_library = NULL;

    PMPI_Reduce(data, sums, COUNT, MPI_INT, MPI_SUM, size - 1, second);
    PMPI_Scan(data, sums, COUNT, MPI_INT, MPI_SUM, second);
    rlim_t before = 0;
    if (rank == 1)
        before = limit(address_space() + SPARE);
    reduce_and_scan(second, "no address space");
    if (rank == 1)
        limit(before);

    MPI_Comm_free(&second);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("memory ok");
    if (rank == 1 && refusals)
        fprintf(stderr, "memory: refused %d times\n", refusals);
    MPI_Finalize();
}
