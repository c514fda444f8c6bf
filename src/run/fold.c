/* SPDX-License-Identifier: BSD-2-Clause */
/* See fold.h. */
#include "fold.h"

#include "arithmetic.h"
#include "handles.h"
#include "hash.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Operands -------------------------------------------------------------------------------------------------------- */

enum { EXPONENTS = 7, MANTISSAS = 5, SPECIAL = 2 * EXPONENTS * MANTISSAS };
enum { ZEROS = 2, NANS = 2 * (MANTISSAS - 1) }; /* zeros come first, NaNs last */
enum { POOL = 8192 };                           /* all pairs, and more */
enum { MOST = 70, ROUNDS = 16, ALIGN = 64, SHORT = 20 * ALIGN };

/* By sign and by places in the arrays below. */
static uint64_t real(const struct kernel_traits *t, uint64_t minus, int exponent, int mantissa)
{
    const int sign = 8 * t->size - 1;
    const uint64_t top = (UINT64_C(1) << (sign - t->mantissa)) - 1, one = top / 2, quiet = UINT64_C(1) << (t->mantissa - 1);
    const uint64_t exponents[EXPONENTS] = {0, 1, one - 1, one, one + (uint64_t)t->mantissa, top - 1, top};
    const uint64_t mantissas[MANTISSAS] = {0, 1, quiet, quiet | 5, 2 * quiet - 1};
    return minus << sign | exponents[exponent] << t->mantissa | mantissas[mantissa];
}

/* An integer: 2^k plus -1, 0 or 1, or a complement. Bits above the type's size are undefined. */
static uint64_t special(const struct kernel_traits *t, int i)
{
    if (t->mantissa)
        return real(t, i % 2, i / 2 / MANTISSAS, i / 2 % MANTISSAS);
    const uint64_t n = (UINT64_C(1) << i / 6 * (8 * t->size - 1) / (SPECIAL / 6)) + (uint64_t)(i % 3) - 1;
    return i % 6 < 3 ? n : ~n;
}

/*
 * First all pairs of special numbers, then random ones, so that zeros and NaNs meet at all places of vectors and their ends.
 */
static uint64_t operand(const struct kernel_traits *t, int i, int second)
{
    const uint64_t pair = mix64((uint64_t)i), r = mix64((uint64_t)(2 * i + second) << 32);
    if (i < SPECIAL * SPECIAL)
        return special(t, second ? i % SPECIAL : i / SPECIAL);
    switch (pair % 4) {
    case 0:
        return special(t, SPECIAL - 1 - (int)(r % NANS));
    case 1:
        return special(t, (int)(r % ZEROS));
    case 2:
        return special(t, (int)(r % SPECIAL));
    default:
        return r;
    }
}

static void put(char *at, int size, uint64_t bits)
{
    const uint8_t b8 = (uint8_t)bits;
    const uint16_t b16 = (uint16_t)bits;
    const uint32_t b32 = (uint32_t)bits;
    memcpy(at,
           size == 1   ? (const void *)&b8
           : size == 2 ? (const void *)&b16
           : size == 4 ? (const void *)&b32
                       : &bits,
           (size_t)size);
}

/* ---- The trial ------------------------------------------------------------------------------------------------------- */

struct fold_trial {
    const struct wire *mpi;
    MPI_Op op;
    MPI_Datatype datatype;
    fold_kernel *kernel;
    size_t element, number; /* bytes */
    char *a, *b;            /* POOL elements each */
    char *out, *expected;
    char *short_vectors; /* 4 * SHORT bytes */
};

/* By kernel and by MPI. `form` 0, 1, 2: the target is other memory, b, a. */
static bool same(const struct fold_trial *t, int form, char *a, char *b, char *out, char *expected, int count)
{
    const size_t bytes = (size_t)count * t->element;
    memcpy(expected, b, bytes);
    if (t->mpi->Reduce_local(a, expected, count, t->datatype, t->op) != MPI_SUCCESS)
        return false;
    if (form)
        memcpy(out, form == 1 ? b : a, bytes);
    t->kernel(out, form == 2 ? out : a, form == 1 ? out : b, (size_t)count);
    return memcmp(out, expected, bytes) == 0;
}

static bool passes(const struct fold_trial *t)
{
    char *const a = t->short_vectors, *const b = a + SHORT, *const out = b + SHORT, *const expected = out + SHORT;
    for (int form = 0; form < 3; form++)
        if (!same(t, form, t->a, t->b, t->out, t->expected, POOL))
            return false;
    for (int count = 0; count <= MOST; count++)
        for (int round = 0; round < ROUNDS; round++) {
            const uint64_t r = mix64((uint64_t)(count * ROUNDS + round));
            const size_t from = r % (POOL - MOST) * t->element, bytes = (size_t)count * t->element;
            const size_t at[] = {(r >> 32) * t->number % ALIGN, (r >> 40) * t->number % ALIGN};
            memcpy(a + at[0], t->a + from, bytes);
            memcpy(b + at[1], t->b + from, bytes);
            if (!same(t, round % 3, a + at[0], b + at[1], out + at[round & 1], expected + at[1], count))
                return false;
        }
    return true;
}

bool fold_same(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype, enum kernel_type type, fold_kernel *kernel)
{
    const struct kernel_traits *k = &kernel_traits[type];
    const size_t element = (size_t)(k->size * k->parts), bytes = POOL * element;
    char *memory = aligned_alloc(ALIGN, 4 * bytes + 4 * SHORT);
    if (!memory)
        return false;
    const struct fold_trial t = {.mpi = mpi,
                                 .op = op,
                                 .datatype = datatype,
                                 .kernel = kernel,
                                 .element = element,
                                 .number = (size_t)k->size,
                                 .a = memory,
                                 .b = memory + bytes,
                                 .out = memory + 2 * bytes,
                                 .expected = memory + 3 * bytes,
                                 .short_vectors = memory + 4 * bytes};
    for (int i = 0; i < POOL * k->parts; i++) {
        put(t.a + i * k->size, k->size, operand(k, i, 0));
        put(t.b + i * k->size, k->size, operand(k, i, 1));
    }
    struct program_state program;
    arithmetic_begin(&program);
    bool good = passes(&t);
    if (good && k->mantissa) {
        arithmetic_flush();
        good = passes(&t);
    }
    arithmetic_end(&program);
    free(memory);
    return good;
}

/* ---- Kernels that have passed ---------------------------------------------------------------------------------------- */

static void none(void *out, const void *a, const void *b, size_t count)
{
    (void)out, (void)a, (void)b, (void)count;
}

/* The first with MPI's bits, from the widest vectors on, or `none`. */
static fold_kernel *choose(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype, enum kernel_op o, enum kernel_type type)
{
    const int level = kernel_levels() - 1;
    for (int form = 0; form < KERNEL_FORMS; form++) {
        fold_kernel *kernel = kernel_at(level, o, type, form);
        if (kernel && fold_same(mpi, op, datatype, type, kernel))
            return kernel;
    }
    return none;
}

fold_kernel *fold_find(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype)
{
    static _Atomic(fold_kernel *) found[KERNEL_OPS][HANDLE_ROWS]; /* NULL: no trial yet. Two threads may try at once. */
    int row;
    const enum kernel_op o = op_kernel(op);
    const enum kernel_type type = type_kernel(datatype, &row);
    if (o == KERNEL_OPS || type == KERNEL_TYPES)
        return NULL;
    fold_kernel *kernel = atomic_load_explicit(&found[o][row], memory_order_relaxed);
    if (!kernel) {
        kernel = choose(mpi, op, datatype, o, type);
        atomic_store_explicit(&found[o][row], kernel, memory_order_relaxed);
    }
    return kernel == none ? NULL : kernel;
}
