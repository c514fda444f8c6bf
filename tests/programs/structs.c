/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * structs: the program's operation assigns whole structs of which a call sends only some members, as in inout[i] = in[i].
 *
 *     structs [GROUP [COLLECTIVE]]    shapes of one group, or `all'; one collective, or `all'
 *
 * Group `early': the first member is sent, and members behind it are not. Group `late': members before those that are sent
 * are not sent. Group `other': a struct reaches below its address, or later elements lie lower.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 4096, FENCE = 0x5a, ALIGN = 64 };

/* A struct: `words` numbers are sent from byte `offset` on. All offsets count from the element's address. */
static const struct shape {
    const char *group, *name;
    int words;
    MPI_Aint offset, lb, extent;
    int begin, end; /* the bytes that the operation assigns */
    int most;       /* elements in a call */
} shapes[] = {
    {"early", "2 KiB of 32", 512, 0, 0, 32768, 0, 32768, 300},
    {"early", "tail padding", 2, 0, 0, 16, 0, 16, 5000},
    {"early", "aligned by 64", 6, 0, 0, 64, 0, 64, 3000},
    {"late", "the last 2 KiB of 32", 512, 30720, 0, 32768, 0, 32768, 300},
    {"late", "a member in the middle", 4, 24, 0, 72, 0, 72, 3000},
    {"late", "a lower bound above 0", 4, 40, 32, 96, 0, 128, 1},
    {"other", "a lower bound below 0", 4, 0, -64, 128, -64, 64, 2000},
    {"other", "no gaps, but a lower bound below 0", 4, 0, -16, 16, -16, 16, 1},
    {"other", "data below the address", 4, -48, -64, 80, -64, 16, 2000},
    {"other", "later elements lie lower", 4, 8, 0, -48, 0, 24, 2000},
};

static const struct shape *shape;
static MPI_Datatype type;
static MPI_Op op;
static int rank, ranks, misaligned;

static char *element(const void *buffer, int i)
{
    return (char *)(uintptr_t)buffer + i * shape->extent;
}

/* Composes affine maps x -> a0 x + a1 modulo 2^32: b = a after b. This depends on the order of the ranks. */
static void compose(const uint32_t *a, uint32_t *b)
{
    for (int k = 0; k < shape->words; k += 2) {
        const uint32_t slope = a[k] * b[k];
        b[k + 1] = a[k] * b[k + 1] + a[k + 1];
        b[k] = slope;
    }
}

static void assign(void *in, void *inout, int *count, MPI_Datatype *given)
{
    static uint32_t a[512], b[512];
    const size_t bytes = (size_t)shape->words * sizeof *a;
    (void)given;
    misaligned += shape->extent % ALIGN == 0 && (uintptr_t)inout % ALIGN != 0;
    for (int i = 0; i < *count; i++) {
        char *to = element(inout, i);
        memcpy(a, element(in, i) + shape->offset, bytes);
        memcpy(b, to + shape->offset, bytes);
        compose(a, b);
        memmove(to + shape->begin, element(in, i) + shape->begin, (size_t)(shape->end - shape->begin));
        memcpy(to + shape->offset, b, bytes);
    }
}

static void wrong(const char *what, int i)
{
    fprintf(stderr, "structs: rank %d of %d: %s: %s, element %d\n", rank, ranks, shape->name, what, i);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- Buffers --------------------------------------------------------------------------------------------------------- */

struct buffer {
    char *memory, *base; /* base: element 0 */
    size_t bytes;        /* between the guards */
};

static struct buffer make(int count)
{
    const MPI_Aint reach = (count - 1) * shape->extent;
    struct buffer b = {.bytes = (size_t)(labs(reach) + shape->end - shape->begin)};
    b.memory = aligned_alloc(ALIGN, (b.bytes + 2 * GUARD + ALIGN - 1) / ALIGN * ALIGN);
    memset(b.memory, FENCE, b.bytes + 2 * GUARD);
    b.base = b.memory + GUARD - shape->begin - (reach < 0 ? reach : 0);
    return b;
}

static void free_checked(struct buffer *b, const char *what)
{
    for (int i = 0; i < GUARD; i++)
        if (b->memory[i] != FENCE || b->memory[GUARD + b->bytes + (size_t)i] != FENCE)
            wrong(what, i);
    free(b->memory);
}

/* The words that a rank gives for an element. Slopes are odd, so no information is lost. */
static void input(int of, int i, uint32_t *words)
{
    for (int k = 0; k < shape->words; k++)
        words[k] = (uint32_t)((of * 40503 + i * 9973 + k * 7) * 2 + (k + 1) % 2);
}

/* The result over ranks 0 .. last. */
static void expected(int last, int i, uint32_t *words)
{
    uint32_t before[512];
    input(last, i, words);
    for (int r = last - 1; r >= 0; r--) {
        input(r, i, before);
        compose(before, words);
    }
}

static void check(const char *what, const struct buffer *b, int count, int last)
{
    uint32_t want[512];
    for (int i = 0; i < count && last >= 0; i++) {
        expected(last, i, want);
        if (memcmp(element(b->base, i) + shape->offset, want, (size_t)shape->words * sizeof *want) != 0)
            wrong(what, i);
    }
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

enum { REDUCE, SCAN, EXSCAN, ALLREDUCE, COLLECTIVES };
static const char *const names[] = {"reduce", "scan", "exscan", "allreduce"};

static int call(int collective, const void *in, void *out, int count, int root)
{
    switch (collective) {
    case REDUCE:
        return MPI_Reduce(in, out, count, type, op, root, MPI_COMM_WORLD);
    case SCAN:
        return MPI_Scan(in, out, count, type, op, MPI_COMM_WORLD);
    case EXSCAN:
        return MPI_Exscan(in, out, count, type, op, MPI_COMM_WORLD);
    default:
        return MPI_Allreduce(in, out, count, type, op, MPI_COMM_WORLD);
    }
}

static void calls(int collective, int count, int root, bool in_place)
{
    const int last = collective == SCAN     ? rank
                     : collective == EXSCAN ? rank - 1
                     : collective == REDUCE ? (rank == root ? ranks - 1 : -1)
                                            : ranks - 1;
    struct buffer in = make(count), out = make(count);
    in_place = in_place && (collective != REDUCE || rank == root);
    for (int i = 0; i < count; i++) {
        uint32_t words[512];
        input(rank, i, words);
        memcpy(element((in_place ? out : in).base, i) + shape->offset, words, (size_t)shape->words * sizeof *words);
    }
    if (call(collective, in_place ? MPI_IN_PLACE : in.base, out.base, count, root) != MPI_SUCCESS)
        wrong(names[collective], -1);
    check(names[collective], &out, count, last);
    free_checked(&in, "the send buffer's guard");
    free_checked(&out, "the receive buffer's guard");
}

static void make_type(void)
{
    MPI_Datatype sent;
    MPI_Type_create_hindexed(1, &shape->words, &shape->offset, MPI_UINT32_T, &sent);
    MPI_Type_create_resized(sent, shape->lb, shape->extent, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&sent);
}

static void try_shape(const char *collective)
{
    static const int counts[] = {1, 2, 3, 7, 64, 300, 1999};
    make_type();
    for (int c = 0; c < COLLECTIVES; c++)
        for (size_t k = 0; k < sizeof counts / sizeof counts[0] && counts[k] <= shape->most; k++)
            if (strcmp(collective, "all") == 0 || strcmp(collective, names[c]) == 0) {
                calls(c, counts[k], ranks - 1, false);
                calls(c, counts[k], 0, true);
            }
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    const char *group = argc > 1 ? argv[1] : "all", *collective = argc > 2 ? argv[2] : "all";
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Op_create(assign, 0, &op);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        shape = &shapes[i];
        if (strcmp(group, "all") == 0 || strcmp(group, shape->group) == 0)
            try_shape(collective);
    }
    MPI_Op_free(&op);
    PMPI_Reduce(&misaligned, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("structs ok, %d misaligned\n", all);
    MPI_Finalize();
    return 0;
}
