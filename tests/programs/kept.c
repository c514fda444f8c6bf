/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kept: a library must not keep the memory of a very large call after it, and must not allocate memory anew in each call of
 * a usual size. In a later very large call rank 1 lacks memory; all results must be right. Prints "kept ok".
 */
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    LARGE = 24 << 20, /* elements: 96 MiB */
    USUAL = 1 << 18,  /* elements: 1 MiB */
    GAP = 64,         /* ints from one element to the next, for the datatype with gaps */
    MUCH = 32 << 20,  /* bytes that the library may keep */
    HUGE_PIECE = 64 << 20
};

static int rank, pieces;
static bool refuses; /* allocations of HUGE_PIECE bytes or more fail */

void *__libc_memalign(size_t alignment, size_t bytes);

/* The library under test allocates its scratch memory by this function. */
__attribute__((visibility("default"))) int posix_memalign(void **result, size_t alignment, size_t bytes)
{
    pieces++;
    if (refuses && bytes >= HUGE_PIECE)
        return ENOMEM;
    *result = __libc_memalign(alignment, bytes);
    return *result ? 0 : ENOMEM;
}

static void check(const char *what, long got, long least, long most)
{
    if (got < least || got > most) {
        fprintf(stderr, "kept: rank %d: %s is %ld, not %ld to %ld\n", rank, what, got, least, most);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Bytes of the process in memory, and in its address space. */
static void have(long *resident, long *mapped)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long page = sysconf(_SC_PAGESIZE);
    check("numbers in /proc/self/statm", f ? fscanf(f, "%ld %ld", mapped, resident) : 0, 2, 2);
    fclose(f);
    *resident *= page;
    *mapped *= page;
}

static void exscan(int *data, int count, MPI_Comm comm)
{
    for (int i = 0; i < count; i++)
        data[i] = i % 1000;
    MPI_Exscan(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, comm);
    for (int i = 0; rank > 0 && i < count; i++)
        if (data[i] != rank * (i % 1000))
            check("an element", data[i], rank * (i % 1000), rank * (i % 1000));
}

static void add(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)type;
    for (long i = 0; i < *count; i++)
        ((int *)out)[i * GAP] += ((int *)in)[i * GAP];
}

static void exscan_gaps(int *data, MPI_Comm comm)
{
    MPI_Datatype gaps;
    MPI_Op op;
    MPI_Type_create_resized(MPI_INT, 0, GAP * sizeof(int), &gaps);
    MPI_Type_commit(&gaps);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < LARGE; i++)
        data[i] = i % GAP ? -1 : 1;
    MPI_Exscan(MPI_IN_PLACE, data, LARGE / GAP, gaps, op, comm);
    for (int i = 0; rank > 0 && i < LARGE; i++)
        if (data[i] != (i % GAP ? -1 : rank))
            check("an element among gaps", data[i], rank, rank);
    MPI_Op_free(&op);
    MPI_Type_free(&gaps);
}

int main(int argc, char **argv)
{
    int *data = malloc(LARGE * sizeof *data);
    long resident, mapped, resident_then, mapped_then;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exscan(data, USUAL, MPI_COMM_WORLD);
    for (int i = 0; i < LARGE; i++)
        data[i] = 1;
    have(&resident, &mapped);
    for (int gaps = 0; gaps < 2; gaps++) {
        if (gaps)
            exscan_gaps(data, MPI_COMM_WORLD);
        else
            exscan(data, LARGE, MPI_COMM_WORLD);
        have(&resident_then, &mapped_then);
        check("resident memory kept", resident_then - resident, -MUCH, MUCH);
        check("mapped memory kept", mapped_then - mapped, -MUCH, MUCH);
    }

    exscan(data, USUAL, MPI_COMM_WORLD);
    pieces = 0;
    for (int i = 0; i < 10; i++)
        exscan(data, USUAL, MPI_COMM_WORLD);
    check("pieces of memory for calls of usual size", pieces, 0, 0);

    refuses = rank == 1;
    exscan(data, LARGE, MPI_COMM_WORLD);
    exscan(data, USUAL, MPI_COMM_WORLD);
    refuses = false;
    exscan(data, LARGE, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("kept ok");
    free(data);
    MPI_Finalize();
    return 0;
}
