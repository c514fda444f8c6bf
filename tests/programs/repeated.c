/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * repeated: repeats calls, among calls that look alike: they have the same buffers, count and size, but differ in datatype,
 * operation or root, or are in place; others differ in the count or in the buffer alone. New operations get the handles of
 * freed ones, also between two equal calls.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 512, AGAIN = 3, TURNS = 8 };

static long in[WORDS], out[WORDS];
static int rank, ranks, wrong;

static bool ones; /* all words are the double 1 */

static long bits(double d)
{
    long word;
    memcpy(&word, &d, sizeof word);
    return word;
}

static long word(int i, int r)
{
    return ones ? bits(1) : i + r;
}

/* The sum of the ranks' words as doubles. pair_sum() takes each word for a pair of floats, of which the upper is 1.875. */
static long double_sum(int i)
{
    (void)i;
    return bits(ranks);
}

static long pair_sum(int i)
{
    const float pair[2] = {0, 1.875F * (float)ranks};
    long sum;
    (void)i;
    memcpy(&sum, pair, sizeof sum);
    return sum;
}

static long first(int i)
{
    return word(i, 0);
}

static long last(int i)
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

static void expect(const long *got, long (*want)(int i))
{
    for (int i = 0; i < WORDS; i++)
        wrong += got[i] != want(i);
}

/* Makes each call AGAIN times before the next one. */
static void all_ways(MPI_Datatype type, MPI_Op op, long (*want)(int i))
{
    for (int again = 0; again < AGAIN; again++) {
        fill();
        MPI_Allreduce(in, out, WORDS, type, op, MPI_COMM_WORLD);
        expect(out, want);
    }
    for (int again = 0; again < AGAIN * ranks; again++) {
        fill();
        MPI_Reduce(in, out, WORDS, type, op, again / AGAIN, MPI_COMM_WORLD);
        if (rank == again / AGAIN)
            expect(out, want);
    }
    for (int again = 0; again < AGAIN; again++) {
        fill();
        MPI_Scan(in, out, WORDS, type, op, MPI_COMM_WORLD);
        if (rank == ranks - 1)
            expect(out, want);
    }
}

/* Makes calls with the same facts, but in place. */
static void in_place(MPI_Datatype type, MPI_Op op, long (*want)(int i))
{
    for (int again = 0; again < AGAIN; again++) {
        fill();
        MPI_Allreduce(MPI_IN_PLACE, in, WORDS, type, op, MPI_COMM_WORLD);
        expect(in, want);
    }
}

/* Makes calls that have fewer elements each time, and leave the others alone. */
static void shorter(void)
{
    for (int count = WORDS; count > WORDS / 8; count /= 2)
        for (int again = 0; again < AGAIN; again++) {
            fill();
            MPI_Allreduce(in, out, count, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
            for (int i = 0; i < WORDS; i++)
                wrong += out[i] != (i < count ? last(i) : 0);
        }
}

/* Broadcasts from each root, from and to either buffer. */
static void broadcast(void)
{
    for (int turn = 0; turn < AGAIN * ranks * 2; turn++) {
        const int root = turn / AGAIN % ranks;
        long *const data = turn / AGAIN / ranks ? in : out;
        fill();
        for (int i = 0; i < WORDS; i++)
            data[i] = word(i, rank);
        MPI_Bcast(data, WORDS, MPI_LONG, root, MPI_COMM_WORLD);
        for (int i = 0; i < WORDS; i++)
            wrong += data[i] != word(i, root);
    }
}

static void all_reduce_again(MPI_Op op, long (*want)(int i))
{
    fill();
    wrong += MPI_Allreduce(in, out, WORDS, MPI_LONG, op, MPI_COMM_WORLD) != MPI_SUCCESS;
    expect(out, want);
}

/* Between two equal calls, the operation is freed, and another one gets its handle. */
static void reuse_handle(void)
{
    bool reused = false;
    MPI_Op op, freed = MPI_OP_NULL;
    for (int turn = 0; turn < TURNS; turn++) {
        const bool upper = turn % 2;
        MPI_Op_create(upper ? take_upper : take_lower, 0, &op);
        reused |= op == freed;
        for (int again = 0; again < 1 + turn % AGAIN; again++)
            all_reduce_again(op, upper ? last : first);
        freed = op;
        MPI_Op_free(&op);
    }
    if (!reused && sizeof op == sizeof(int)) { /* else a handle is an address, which may differ */
        printf("repeated: no operation got the handle of a freed one\n");
        wrong++;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Op op;
        ones = true;
        all_ways(MPI_DOUBLE, MPI_SUM, double_sum);
        all_ways(MPI_C_FLOAT_COMPLEX, MPI_SUM, pair_sum);
        ones = false;
        all_ways(MPI_LONG, MPI_MAX, last);
        all_ways(MPI_LONG, MPI_MIN, first);
        in_place(MPI_LONG, MPI_MAX, last);
        in_place(MPI_LONG, MPI_MIN, first);
        shorter();
        broadcast();
        MPI_Op_create(take_lower, 0, &op);
        all_ways(MPI_LONG, op, first);
        MPI_Op_free(&op);
        MPI_Op_create(take_upper, 0, &op);
        all_ways(MPI_LONG, op, last);
        MPI_Op_free(&op);
    }
    reuse_handle();
    if (wrong)
        printf("repeated failed: %d wrong\n", wrong);
    else if (rank == 0)
        puts("repeated ok");
    MPI_Finalize();
    return wrong > 0;
}
