/* SPDX-License-Identifier: BSD-2-Clause */
#include "ops.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * User-defined operations combine `group` leaves of an element at a time: b = a ∘ b. They are associative. All but `plus`
 * depend on the order of the ranks.
 */

/* Composes affine maps x → a₀x + a₁ modulo 2³². */
static void affine(const uint32_t *a, uint32_t *b)
{
    uint32_t slope = a[0] * b[0];
    b[1] = a[0] * b[1] + a[1];
    b[0] = slope;
}

/* Multiplies 2 × 2 matrices, which are stored row by row, modulo 2³². */
static void matrix(const uint32_t *a, uint32_t *b)
{
    uint32_t c[] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                    a[2] * b[1] + a[3] * b[3]};
    memcpy(b, c, sizeof c);
}

static void plus(const uint32_t *a, uint32_t *b)
{
    *b += *a;
}

static _Thread_local MPI_Datatype expected = MPI_DATATYPE_NULL;
static _Thread_local int surprises;

void op_expect(MPI_Datatype type)
{
    expected = type;
    surprises = 0;
}

int op_surprises(void)
{
    return surprises;
}

static const struct type *type_given(MPI_Datatype handle)
{
    surprises += handle != expected;
    return type_of_handle(handle);
}

/*
 * The data of a buffer may lie far from its address, for the offsets of an absolute type are addresses. C's pointer
 * arithmetic does not allow that.
 */
static void *leaf_of(const void *buffer, const struct type *t, MPI_Count element, int leaf)
{
    return (void *)((uintptr_t)buffer + element * t->extent + t->leaf[leaf].offset);
}

static int (*in_native_call)(void); /* see native_calls.c; NULL: nobody tells */

bool ops_whole(void)
{
    return in_native_call;
}

/*
 * Writes to all memory of the elements, as a program does that assigns structs. Native calls of some MPI libraries give
 * operations too little memory, so the operation then writes data alone.
 */
static void write_whole(void *b, const struct type *t, MPI_Count count)
{
    enum { PATTERN = 0xee };
    if (!in_native_call || in_native_call())
        return;
    for (MPI_Count i = 0; i < count; i++)
        memset((void *)((uintptr_t)b + i * t->extent + t->begin), PATTERN, t->end - t->begin);
}

static void apply(void (*combine)(const uint32_t *, uint32_t *), int group, const void *a, void *b, MPI_Count count,
                  MPI_Datatype handle)
{
    const struct type *t = type_given(handle);
    uint32_t *result = t ? malloc(count * t->leaves * sizeof *result + 1) : NULL, *next = result;
    for (MPI_Count i = 0; t && i < count; i++) {
        for (int j = 0; j + group <= t->leaves; j += group, next += group) {
            uint32_t left[4];
            for (int k = 0; k < group; k++) {
                memcpy(&left[k], leaf_of(a, t, i, j + k), 4);
                memcpy(&next[k], leaf_of(b, t, i, j + k), 4);
            }
            combine(left, next);
        }
    }
    if (t)
        write_whole(b, t, count);
    next = result;
    for (MPI_Count i = 0; t && i < count; i++)
        for (int j = 0; j < t->leaves; j++)
            memcpy(leaf_of(b, t, i, j), next++, 4);
    free(result);
}

/* Keeps the left operand, for elements of any type. */
static void keep_left(const void *a, void *b, MPI_Count count, MPI_Datatype handle)
{
    const struct type *t = type_given(handle);
    if (t)
        write_whole(b, t, count);
    for (MPI_Count i = 0; t && i < count; i++)
        for (int j = 0; j < t->leaves; j++)
            memcpy(leaf_of(b, t, i, j), leaf_of(a, t, i, j), kinds[t->leaf[j].kind].size);
}

/* Defines both forms of a user function, for MPI_Op_create and for MPI_Op_create_c. */
#define USER(name, call)                                                                                                    \
    static void name##_int(void *a, void *b, int *count, MPI_Datatype *type)                                                \
    {                                                                                                                       \
        const MPI_Count n = *count;                                                                                         \
        call;                                                                                                               \
    }                                                                                                                       \
    static void name##_count(void *a, void *b, large_count *count, MPI_Datatype *type)                                      \
    {                                                                                                                       \
        const MPI_Count n = *count;                                                                                         \
        call;                                                                                                               \
    }
USER(affine, apply(affine, 2, a, b, n, *type))
USER(matrix, apply(matrix, 4, a, b, n, *type))
USER(plus, apply(plus, 1, a, b, n, *type))
USER(left, keep_left(a, b, n, *type))

enum {
    ORDERED = INTEGER | FLOATING,
    SUMS = INTEGER | FLOATING | COMPLEX,
    LOGICALS = INTEGER | LOGICAL,
    BITS = INTEGER | BYTE,
    ALL = INTEGER | FLOATING | COMPLEX | LOGICAL | BYTE | PAIR | OTHER,
};

static struct op table[] = {
    {"max", MPI_MAX, ORDERED, 0, SUMMABLE},
    {"min", MPI_MIN, ORDERED, 0, SUMMABLE},
    {"sum", MPI_SUM, SUMS, 0, SUMMABLE},
    {"prod", MPI_PROD, SUMS, 0, MULTIPLIABLE},
    {"land", MPI_LAND, LOGICALS, 0, ANY},
    {"lor", MPI_LOR, LOGICALS, 0, ANY},
    {"lxor", MPI_LXOR, LOGICALS, 0, ANY},
    {"band", MPI_BAND, BITS, 0, ANY},
    {"bor", MPI_BOR, BITS, 0, ANY},
    {"bxor", MPI_BXOR, BITS, 0, ANY},
    {"maxloc", MPI_MAXLOC, PAIR, 0, SUMMABLE},
    {"minloc", MPI_MINLOC, PAIR, 0, SUMMABLE},
    {"affine", MPI_OP_NULL, ALL, 2, ANY},
    {"affine_c", MPI_OP_NULL, ALL, 2, ANY},
    {"matrix", MPI_OP_NULL, ALL, 4, ANY},
    {"matrix_c", MPI_OP_NULL, ALL, 4, ANY},
    {"plus", MPI_OP_NULL, ALL, 1, ANY},
    {"plus_c", MPI_OP_NULL, ALL, 1, ANY},
    {"left", MPI_OP_NULL, ALL, 0, ANY},
    {"left_c", MPI_OP_NULL, ALL, 0, ANY},
};
enum { N_OPS = sizeof table / sizeof *table };

static const struct {
    MPI_User_function *function;
    MPI_User_function_c *function_c;
    int commutes;
} user[] = {
    /* the last rows of the table, in its order */
    {affine_int, NULL, 0}, {NULL, affine_count, 0}, {matrix_int, NULL, 0}, {NULL, matrix_count, 0},
    {plus_int, NULL, 1},   {NULL, plus_count, 1},   {left_int, NULL, 0},   {NULL, left_count, 0},
};
enum { N_USER = sizeof user / sizeof *user };

struct op *ops = table;
int n_ops = N_OPS;

void ops_create(void)
{
    *(void **)&in_native_call = dlsym(RTLD_DEFAULT, "in_native_call");
    for (int i = 0; i < N_USER; i++) {
        MPI_Op *handle = &table[N_OPS - N_USER + i].handle;
        if (user[i].function)
            MPI_Op_create(user[i].function, user[i].commutes, handle);
        else
            MPI_Op_create_c(user[i].function_c, user[i].commutes, handle);
    }
}

void ops_free(void)
{
    for (int i = N_OPS - N_USER; i < N_OPS; i++)
        MPI_Op_free(&table[i].handle);
}

/* Does the MPI library allow the operation on this type? MPICH 5 refuses MPI_LAND of MPI_INTEGER, which MPICH 4 allows. */
static bool is_taken(MPI_Op op, MPI_Datatype type)
{
    static long double in[8], inout[8];                      /* room for any predefined type */
    const MPI_Comm comm[] = {MPI_COMM_WORLD, MPI_COMM_SELF}; /* MPI's version decides whose handler is called */
    MPI_Errhandler before[2];
    for (int i = 0; i < 2; i++) {
        MPI_Comm_get_errhandler(comm[i], &before[i]);
        MPI_Comm_set_errhandler(comm[i], MPI_ERRORS_RETURN);
    }
    const bool taken = PMPI_Reduce_local(in, inout, 1, type, op) == MPI_SUCCESS;
    for (int i = 0; i < 2; i++) {
        MPI_Comm_set_errhandler(comm[i], before[i]);
        MPI_Errhandler_free(&before[i]);
    }
    return taken;
}

bool op_applies(const struct op *op, const struct type *type)
{
    if (!(op->classes & type->class) || (op->group > 0 && (!type->words || type->leaves % op->group != 0)))
        return false;
    return op >= ops + N_OPS - N_USER || is_taken(op->handle, type->handle);
}

const struct op *op_find(const char *name)
{
    for (int i = 0; i < n_ops; i++)
        if (strcmp(ops[i].name, name) == 0)
            return &ops[i];
    return NULL;
}
