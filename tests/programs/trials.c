/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trials: repeats exscans, for tests of shadow trials. Prints "trials ok" at the end.
 *
 *     trials column ELEMENTS CALLS    columns of a matrix, by an operation of the program; prints by how much the calls
 *                                     after the first raised the process' peak of memory: "trials: peak grew by N KiB"
 *     trials leave ELEMENTS CALLS     with tests/late.c; prints how often rank 0 ended a call while rank 2 was late at the
 *                                     start of a trial, and how often it was late: "trials: left N early, of M"
 */
#include "expect.h"
#include "resident.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

enum { ROW = 2048 }; /* elements of a row of the matrix */

static int rank;

static void add_column(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const long *from = in;
    long *to = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        to[(ptrdiff_t)i * ROW] += from[(ptrdiff_t)i * ROW];
}

static void column(int elements, int calls)
{
    const size_t row = ROW * sizeof(long);
    long *in = calloc((size_t)elements, row), *out = calloc((size_t)elements, row), before = 0;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Type_create_resized(MPI_LONG, 0, (MPI_Aint)row, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_column, 0, &op);
    for (int i = 0; in && i < elements; i++)
        in[(ptrdiff_t)i * ROW] = i + rank;
    for (int number = 0; number < calls; number++) {
        MPI_Exscan(in, out, elements, type, op, MPI_COMM_WORLD);
        if (number == 0)
            before = peak_kib();
    }
    for (int i = 0; out && i < elements; i++)
        expect("column", out[(ptrdiff_t)i * ROW], (long)rank * i + (long)rank * (rank - 1) / 2);
    printf("trials: peak grew by %ld KiB\n", peak_kib() - before);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    free(in);
    free(out);
}

/*
 * Rank 2 is late only at the starts of trials. As the ranks agree on each start, it cannot be late at the next call's trial
 * while rank 0 ends a call.
 */
static void leave(int elements, int calls)
{
    atomic_int **shared = dlsym(RTLD_DEFAULT, "late_sleeps"), *sleeps;
    long *in = calloc((size_t)elements, sizeof *in), *out = calloc((size_t)elements, sizeof *out);
    MPI_Win window;
    MPI_Aint size;
    int early = 0, unit;
    expect("late.so", shared && in && out, 1);
    MPI_Win_allocate_shared(rank == 2 ? (MPI_Aint)sizeof *sleeps : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&sleeps,
                            &window);
    MPI_Win_shared_query(window, 2, &size, &unit, (void *)&sleeps);
    *shared = sleeps;
    for (int i = 0; i < calls; i++) {
        MPI_Exscan(in, out, elements, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        early += *sleeps % 2;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("trials: left %d early, of %d\n", early, *sleeps / 2);
    *shared = NULL;
    MPI_Win_free(&window);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    expect("arguments", argc, 4);
    if (strcmp(argv[1], "column") == 0)
        column(atoi(argv[2]), atoi(argv[3]));
    else
        leave(atoi(argv[2]), atoi(argv[3]));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("trials ok");
    MPI_Finalize();
    return 0;
}
