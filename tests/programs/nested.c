/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nested: makes deeply nested datatypes, each around the one before. In broadcasts, rank 0 alone has such a datatype, and
 * the others have plain integers.
 *     nested [DEPTH]
 */
#include "expect.h"

#include <stdlib.h>

/* Makes a datatype around `inner`. A function that appends an integer needs k, the number of integers in `inner`. */
typedef MPI_Datatype around(MPI_Datatype inner, int k);

/* Appends an integer that lies `stride` integers behind the one before. */
static MPI_Datatype append(MPI_Datatype inner, int k, int stride)
{
    const int lengths[] = {1, 1};
    const MPI_Aint at[] = {0, (MPI_Aint)((size_t)k * (size_t)stride * sizeof(int))};
    const MPI_Datatype types[] = {inner, MPI_INT};
    MPI_Datatype type;
    MPI_Type_create_struct(2, lengths, at, types, &type);
    return type;
}

static MPI_Datatype append_next(MPI_Datatype inner, int k)
{
    return append(inner, k, 1);
}

static MPI_Datatype append_second(MPI_Datatype inner, int k)
{
    return append(inner, k, 2);
}

/* Moves the data by one integer. */
static MPI_Datatype move(MPI_Datatype inner, int k)
{
    const int one = 1;
    const MPI_Aint at = sizeof(int);
    MPI_Datatype type;
    (void)k;
    MPI_Type_create_hindexed(1, &one, &at, inner, &type);
    return type;
}

static MPI_Datatype nest(around *around, int depth)
{
    MPI_Datatype type = MPI_INT;
    for (int k = 1; k < depth; k++) {
        MPI_Datatype outer = around(type, k);
        if (type != MPI_INT)
            MPI_Type_free(&type);
        type = outer;
    }
    MPI_Type_commit(&type);
    return type;
}

/* The user's operation, a sum: an element has `depth` integers, which lie `stride` apart. */
static int stride, depth;

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *a = in;
    int *b = inout;
    (void)type;
    for (int i = 0; i < *count * depth; i++)
        b[i * stride] += a[i * stride];
}

/*
 * Broadcasts one element of the nested datatype from rank 0. The other ranks must receive `elements` integers: first,
 * first + apart, .. If the datatype has all `depth` integers, makes a scan of one element, too.
 */
static void pass(const char *what, around *around, int elements, int first, int apart)
{
    int rank, size = 2 * depth + 1, *data = calloc((size_t)size, sizeof *data), *sum = calloc((size_t)size, sizeof *sum);
    MPI_Op op;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!data || !sum)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < size && rank == 0; i++)
        data[i] = i;
    MPI_Datatype type = nest(around, depth);
    MPI_Bcast(data, rank == 0 ? 1 : elements, rank == 0 ? type : MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < elements && rank > 0; i++)
        expect(what, data[i], first + apart * i);

    stride = apart;
    for (int i = 0; i < size; i++)
        data[i] = i;
    MPI_Op_create(add, 1, &op);
    if (elements == depth)
        MPI_Scan(data, sum, 1, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < size && elements == depth; i++)
        expect("scan", sum[i], i % apart == 0 && i < apart * depth ? (rank + 1) * i : 0);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    free(sum);
    free(data);
}

int main(int argc, char **argv)
{
    depth = argc > 1 ? atoi(argv[1]) : 20000;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    pass("next", append_next, depth, 0, 1);
    pass("second", append_second, depth, 0, 2);
    pass("move", move, 1, depth - 1, 1);
    return end("nested");
}
