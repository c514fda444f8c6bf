/* SPDX-License-Identifier: BSD-2-Clause */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

enum { BORDER = 64 };

uint64_t random_next(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

uint64_t random_hash(uint64_t seed, const char *text)
{
    uint64_t hash = seed;
    for (; *text; text++) {
        hash ^= (unsigned char)*text;
        hash = random_next(&hash);
    }
    return hash;
}

static void canaries(struct buffer *b)
{
    static int rank = -1;
    if (rank < 0)
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < b->bytes; i++)
        b->memory[i] = (char)(0xa5 + 29 * rank + 7 * i);
}

struct buffer buffer_create(const struct type *type, MPI_Count count)
{
    struct buffer b = {.type = type, .count = count};
    MPI_Aint low = 0, high = 0;
    if (count > 0) {
        MPI_Aint last = (count - 1) * type->extent;
        const MPI_Aint true_ub = type->true_lb + type->true_extent;
        low = (type->begin < type->true_lb ? type->begin : type->true_lb) + (last < 0 ? last : 0);
        high = (type->end > true_ub ? type->end : true_ub) + (last > 0 ? last : 0);
    }
    size_t before = BORDER + (low < 0 ? (-low + 15) / 16 * 16 : 0); /* a multiple of 16, so that the base is aligned */
    b.bytes = before + (high > 0 ? high : 0) + BORDER;
    b.memory = malloc(b.bytes);
    b.base = b.memory + before;
    canaries(&b);
    return b;
}

struct buffer buffer_copy(const struct buffer *b)
{
    struct buffer copy = *b;
    copy.memory = malloc(b->bytes);
    memcpy(copy.memory, b->memory, b->bytes);
    copy.base = copy.memory + (b->base - b->memory);
    return copy;
}

void buffer_free(struct buffer *b)
{
    free(b->memory);
    b->memory = NULL;
}

static void put_number(char *to, enum kind kind, double number)
{
    const float single = (float)number;
    const long double extended = number;
    const int64_t integer = (int64_t)number; /* the machine is little-endian: narrower integers are the first bytes */
    const void *from = kind == F32   ? (const void *)&single
                       : kind == F64 ? (const void *)&number
                       : kind == F80 ? (const void *)&extended
                                     : (const void *)&integer;
    memcpy(to, from, kinds[kind].significant);
}

/*
 * Fills in one element. Integers wrap around, so any bits will do. A quarter of the integers are 0, for the sake of logical
 * operations.
 */
static void fill_element(char *to, const struct type *t, const struct op *op, uint64_t *state)
{
    const bool numbers = op && op->values != ANY && (t->class & (FLOATING | COMPLEX | PAIR));
    const double factor = (double[]){0.5, 1, 2, 1}[random_next(state) % 4];
    for (int j = 0; j < t->leaves; j++) {
        const enum kind kind = t->leaf[j].kind;
        char *leaf = to + t->leaf[j].offset;
        uint64_t bits[2] = {random_next(state), kind == F80 ? random_next(state) : 0};
        if (t->class == LOGICAL)
            put_number(leaf, kind, bits[0] & 1);
        else if (numbers && op->values == MULTIPLIABLE)
            put_number(leaf, kind, t->class == COMPLEX ? factor * (2 - j) : bits[0] & 1 ? factor : -factor);
        else if (numbers)
            put_number(leaf, kind, (double)(bits[0] % 17) - 8);
        else if (op && bits[0] % 4 == 0)
            memset(leaf, 0, kinds[kind].significant);
        else
            memcpy(leaf, bits, kinds[kind].significant);
    }
}

void buffer_fill(struct buffer *b, const struct op *op, uint64_t seed)
{
    uint64_t state = seed;
    for (MPI_Count i = 0; i < b->count; i++)
        fill_element(b->base + i * b->type->extent, b->type, op, &state);
}

void buffer_overlay(struct buffer *b, const struct buffer *from, const struct buffer *undefined)
{
    const struct type *t = b->type;
    for (MPI_Count i = 0; ops_whole() && i < b->count; i++)
        memcpy(b->base + i * t->extent + t->begin, undefined->base + i * t->extent + t->begin, t->end - t->begin);
    for (MPI_Count i = 0; i < b->count; i++) {
        for (int j = 0; j < b->type->leaves; j++) {
            const struct kind_size k = kinds[b->type->leaf[j].kind];
            const ptrdiff_t at = i * b->type->extent + b->type->leaf[j].offset;
            memcpy(b->base + at, from->base + at, k.significant);
            memcpy(b->base + at + k.significant, undefined->base + at + k.significant, k.size - k.significant);
        }
    }
}

bool buffer_differs(const struct buffer *a, const struct buffer *b, ptrdiff_t *where)
{
    if (memcmp(a->memory, b->memory, a->bytes) == 0)
        return false;
    size_t i = 0;
    while (a->memory[i] == b->memory[i])
        i++;
    *where = (ptrdiff_t)i - (a->base - a->memory);
    return true;
}
