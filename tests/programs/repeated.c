/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * repeated: calls that repeat an earlier one, among others that look like it: the same buffers, count and size, but another
 * datatype, another operation, another root, or in place. The handle of a freed operation comes again, too.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 512, AGAIN = 3, TURNS = 8 };

static int64_t in[WORDS], out[WORDS];
static int rank, ranks, wrong;

/* Negative numbers: as integers they grow with the rank, as floating-point numbers they decrease. */
static int64_t word(int i, int r)
{
    return INT64_MIN + ((int64_t)(r + 1) << 52) + i;
}

static int64_t first(int i)
{
    return word(i, 0);
}

static int64_t last(int i)
{
    return word(i, ranks - 1);
}

static void take_lower(void *a, void *b, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(b, a, (size_t)*count * sizeof in[0]);
}

static void take_upper(void *a, void *b, int *count, MPI_Datatype *type)
{
    (void)a, (void)b, (void)count, (void)type;
}

static void fill(void)
{
    for (int i = 0; i < WORDS; i++) {
        in[i] = word(i, rank);
        out[i] = 0;
    }
}

static void expect(const int64_t *got, int64_t (*want)(int i))
{
    for (int i = 0; i < WORDS; i++)
        wrong += got[i] != want(i);
}

static void all_ways(MPI_Datatype type, MPI_Op op, int64_t (*want)(int i))
{
    for (int again = 0; again < AGAIN; again++) {
        fill();
        MPI_Allreduce(in, out, WORDS, type, op, MPI_COMM_WORLD);
        expect(out, want);
        MPI_Allreduce(MPI_IN_PLACE, in, WORDS, type, op, MPI_COMM_WORLD);
        expect(in, want);
    }
    for (int again = 0; again < AGAIN * ranks; again++) {
        const int root = again / AGAIN;
        fill();
        MPI_Reduce(in, out, WORDS, type, op, root, MPI_COMM_WORLD);
        if (rank == root)
            expect(out, want);
        MPI_Bcast(in, WORDS, type, root, MPI_COMM_WORLD);
        for (int i = 0; i < WORDS; i++)
            wrong += in[i] != word(i, root);
        fill();
        MPI_Scan(in, out, WORDS, type, op, MPI_COMM_WORLD);
        if (rank == ranks - 1)
            expect(out, want);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Op op;
        all_ways(MPI_INT64_T, MPI_MAX, last);
        all_ways(MPI_DOUBLE, MPI_MAX, first);
        all_ways(MPI_INT64_T, MPI_MIN, first);
        all_ways(MPI_DOUBLE, MPI_MIN, last);
        MPI_Op_create(take_lower, 0, &op);
        all_ways(MPI_INT64_T, op, first);
        MPI_Op_free(&op);
        MPI_Op_create(take_upper, 0, &op);
        all_ways(MPI_INT64_T, op, last);
        MPI_Op_free(&op);
    }
    if (wrong)
        printf("repeated failed: %d wrong\n", wrong);
    else if (rank == 0)
        puts("repeated ok");
    MPI_Finalize();
    return wrong > 0;
}
