/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reproducible: makes reductions of floating-point numbers, whose last bits depend on the order of evaluation. It prints a
 * hash of all results on all ranks: "reproducible: HASH". An all-reduce must give the same bits on all ranks.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 17 }; /* doubles: 1 MiB */

static int rank, ranks;
static double *in, *out;
static uint64_t hash = 14695981039346656037u;

/* Composes maps x -> a x + b, two numbers each. This is not commutative, and its rounding makes it not associative. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type)
{
    const double *a = left;
    double *b = right;
    (void)type;
    for (int i = 0; i < *count; i++, a += 2, b += 2) {
        b[1] = b[0] * a[1] + b[1];
        b[0] = b[0] * a[0];
    }
}

static uint64_t with_results(uint64_t so_far, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &out[i], sizeof bits);
        so_far = (so_far ^ bits) * 0x100000001b3u;
    }
    return so_far;
}

static void count_in(int count)
{
    hash = with_results(hash, count);
    for (int i = 0; i < count; i++)
        out[i] = -1;
}

static void check_same_everywhere(int count)
{
    const uint64_t mine = with_results(0, count);
    uint64_t least[2] = {mine, ~mine};
    PMPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    if (least[0] != ~least[1]) {
        fprintf(stderr, "rank %d: an allreduce of %d doubles has not the same bits on all ranks\n", rank, count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

/* Fills `in` with numbers from 1/2 to 3072, of both signs if `signs`. */
static void fill(int count, int signs)
{
    state = 1234567u + 89u * (uint64_t)rank + (uint64_t)count;
    for (int i = 0; i < count; i++)
        in[i] = ldexp(uniform() + 0.5, (int)(uniform() * 12)) * (signs && uniform() < 0.5 ? -1 : 1);
}

static void all(int count, MPI_Datatype type, int per_element, MPI_Op op)
{
    MPI_Reduce(in, out, count / per_element, type, op, ranks - 1, MPI_COMM_WORLD);
    count_in(count);
    MPI_Scan(in, out, count / per_element, type, op, MPI_COMM_WORLD);
    count_in(count);
    MPI_Exscan(in, out, count / per_element, type, op, MPI_COMM_WORLD);
    count_in(count);
    MPI_Allreduce(in, out, count / per_element, type, op, MPI_COMM_WORLD);
    check_same_everywhere(count);
    count_in(count);
}

int main(int argc, char **argv)
{
    MPI_Datatype map;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(2, MPI_DOUBLE, &map);
    MPI_Type_commit(&map);
    MPI_Op_create(compose, 0, &op);
    in = malloc(MOST * sizeof *in);
    out = malloc(MOST * sizeof *out);
    uint64_t *hashes = malloc((size_t)ranks * sizeof *hashes);
    if (!in || !out || !hashes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < MOST; i++)
        out[i] = -1;
    for (int count = 128; count <= MOST; count *= 4) {
        fill(count, 1);
        all(count, MPI_DOUBLE, 1, MPI_SUM);
        all(count / 2, MPI_C_DOUBLE_COMPLEX, 2, MPI_SUM);
        fill(count, 0);
        all(count, map, 2, op);
    }
    MPI_Gather(&hash, 1, MPI_UINT64_T, hashes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int r = 1; rank == 0 && r < ranks; r++)
        hash = (hash ^ hashes[r]) * 0x100000001b3u;
    if (rank == 0)
        printf("reproducible: %016llx\n", (unsigned long long)hash);
    free(in);
    free(out);
    free(hashes);
    MPI_Op_free(&op);
    MPI_Type_free(&map);
    MPI_Finalize();
    return 0;
}
