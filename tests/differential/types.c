/* SPDX-License-Identifier: BSD-2-Clause */
#include "types.h"

#include <assert.h>
#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(long) == 8 && sizeof(long long) == 8, "the table of predefined types needs this");

const struct kind_size kinds[] = {
    [I8] = {1, 1},
    [I16] = {2, 2},
    [I32] = {4, 4},
    [I64] = {8, 8},
    [F32] = {4, 4},
    [F64] = {8, 8},
    [F80] = {sizeof(long double), LDBL_MANT_DIG == 64 ? 10 : sizeof(long double)},
};

#define WORD MPI_UINT32_T
enum { ONE = -1 }; /* no second leaf */

static const struct {
    const char *name;
    MPI_Datatype handle;
    enum class class;
    int first, second;
} predefined[] = {
#define TYPE(name, class, ...)                                                                                              \
    {                                                                                                                       \
#name, MPI_##name, class, __VA_ARGS__                                                                               \
    }
    TYPE(CHAR, OTHER, I8, ONE),
    TYPE(SIGNED_CHAR, INTEGER, I8, ONE),
    TYPE(UNSIGNED_CHAR, INTEGER, I8, ONE),
    TYPE(WCHAR, OTHER, I32, ONE),
    TYPE(SHORT, INTEGER, I16, ONE),
    TYPE(UNSIGNED_SHORT, INTEGER, I16, ONE),
    TYPE(INT, INTEGER, I32, ONE),
    TYPE(UNSIGNED, INTEGER, I32, ONE),
    TYPE(LONG, INTEGER, I64, ONE),
    TYPE(UNSIGNED_LONG, INTEGER, I64, ONE),
    TYPE(LONG_LONG, INTEGER, I64, ONE),
    TYPE(UNSIGNED_LONG_LONG, INTEGER, I64, ONE),
    TYPE(INT8_T, INTEGER, I8, ONE),
    TYPE(INT16_T, INTEGER, I16, ONE),
    TYPE(INT32_T, INTEGER, I32, ONE),
    TYPE(INT64_T, INTEGER, I64, ONE),
    TYPE(UINT8_T, INTEGER, I8, ONE),
    TYPE(UINT16_T, INTEGER, I16, ONE),
    TYPE(UINT32_T, INTEGER, I32, ONE),
    TYPE(UINT64_T, INTEGER, I64, ONE),
    TYPE(AINT, INTEGER, I64, ONE),
    TYPE(OFFSET, INTEGER, I64, ONE),
    TYPE(COUNT, INTEGER, I64, ONE),
    TYPE(INTEGER, INTEGER, I32, ONE),
    TYPE(FLOAT, FLOATING, F32, ONE),
    TYPE(DOUBLE, FLOATING, F64, ONE),
    TYPE(LONG_DOUBLE, FLOATING, F80, ONE),
    TYPE(REAL, FLOATING, F32, ONE),
    TYPE(DOUBLE_PRECISION, FLOATING, F64, ONE),
    TYPE(C_FLOAT_COMPLEX, COMPLEX, F32, F32),
    TYPE(C_DOUBLE_COMPLEX, COMPLEX, F64, F64),
    TYPE(C_LONG_DOUBLE_COMPLEX, COMPLEX, F80, F80),
    TYPE(COMPLEX, COMPLEX, F32, F32),
    TYPE(DOUBLE_COMPLEX, COMPLEX, F64, F64),
    TYPE(C_BOOL, LOGICAL, I8, ONE),
    TYPE(LOGICAL, LOGICAL, I32, ONE),
    TYPE(BYTE, BYTE, I8, ONE),
    TYPE(PACKED, SENT, I8, ONE),
    TYPE(2INT, PAIR, I32, I32),
    TYPE(SHORT_INT, PAIR, I16, I32),
    TYPE(LONG_INT, PAIR, I64, I32),
    TYPE(FLOAT_INT, PAIR, F32, I32),
    TYPE(DOUBLE_INT, PAIR, F64, I32),
    TYPE(LONG_DOUBLE_INT, PAIR, F80, I32),
    TYPE(2INTEGER, PAIR, I32, I32),
    TYPE(2REAL, PAIR, F32, F32),
    TYPE(2DOUBLE_PRECISION, PAIR, F64, F64),
#undef TYPE
};

#define INTS (const int[])
#define AINTS (const MPI_Aint[])
#define TYPES (const MPI_Datatype[])

static MPI_Datatype resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent)
{
    MPI_Datatype t;
    MPI_Type_create_resized(old, lb, extent, &t);
    MPI_Type_free(&old);
    return t;
}

/*
 * The derived types: a name, bytes or words as basic types, the most elements (0: any number), the class, and the call that
 * makes `t`. More elements of `interleaved` would overlap. Messages of extent_negative are only broadcast, as native
 * reductions of them write in front of their own scratch memory.
 */
enum { BYTES, WORDS };
#define DERIVED(TYPE)                                                                                                       \
    TYPE(contiguous, WORDS, 0, OTHER, MPI_Type_contiguous(4, WORD, &t))                                                     \
    TYPE(odd, BYTES, 0, OTHER, MPI_Type_contiguous(3, MPI_CHAR, &t))                                                        \
    TYPE(vector, WORDS, 0, OTHER, MPI_Type_vector(3, 2, 5, WORD, &t))                                                       \
    TYPE(vector_back, WORDS, 0, OTHER, MPI_Type_vector(3, 2, -3, WORD, &t))                                                 \
    TYPE(bytes_apart, BYTES, 0, OTHER, MPI_Type_vector(3, 1, 2, MPI_CHAR, &t))                                              \
    TYPE(hvector, WORDS, 0, OTHER, MPI_Type_create_hvector(2, 2, 20, WORD, &t))                                             \
    TYPE(indexed, WORDS, 0, OTHER, MPI_Type_indexed(3, INTS{1, 2, 1}, INTS{0, 3, 7}, WORD, &t))                             \
    TYPE(hindexed, WORDS, 0, OTHER, MPI_Type_create_hindexed(2, INTS{2, 2}, AINTS{4, 24}, WORD, &t))                        \
    TYPE(indexed_block, WORDS, 0, OTHER, MPI_Type_create_indexed_block(2, 2, INTS{1, 6}, WORD, &t))                         \
    TYPE(hindexed_block, WORDS, 0, OTHER, MPI_Type_create_hindexed_block(3, 2, AINTS{0, 12, 40}, WORD, &t))                 \
    TYPE(gaps, WORDS, 0, OTHER, MPI_Type_create_struct(2, INTS{1, 3}, AINTS{4, 16}, TYPES{WORD, WORD}, &t))                 \
    TYPE(permuted, WORDS, 0, OTHER, MPI_Type_indexed(4, INTS{1, 1, 1, 1}, INTS{3, 1, 2, 0}, WORD, &t))                      \
    TYPE(permuted_gaps, WORDS, 0, OTHER, MPI_Type_indexed(4, INTS{1, 1, 1, 1}, INTS{9, 4, 2, 0}, WORD, &t))                 \
    TYPE(dup_word, WORDS, 0, OTHER, MPI_Type_dup(WORD, &t))                                                                 \
    TYPE(dup_vector, WORDS, 0, OTHER, MPI_Datatype old = vector(); MPI_Type_dup(old, &t); MPI_Type_free(&old))              \
    TYPE(empty, WORDS, 0, OTHER, MPI_Type_contiguous(0, WORD, &t))                                                          \
    TYPE(pairs, BYTES, 0, OTHER, MPI_Type_contiguous(3, MPI_DOUBLE_INT, &t))                                                \
    TYPE(subarray_c, WORDS, 0, OTHER,                                                                                       \
         MPI_Type_create_subarray(2, INTS{4, 6}, INTS{2, 4}, INTS{1, 1}, MPI_ORDER_C, WORD, &t))                            \
    TYPE(subarray_fortran, WORDS, 0, OTHER,                                                                                 \
         MPI_Type_create_subarray(3, INTS{3, 4, 2}, INTS{2, 3, 2}, INTS{1, 0, 0}, MPI_ORDER_FORTRAN, WORD, &t))             \
    TYPE(darray, WORDS, 0, OTHER,                                                                                           \
         MPI_Type_create_darray(4, 1, 2, INTS{6, 5}, INTS{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},                     \
                                INTS{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, INTS{2, 2}, MPI_ORDER_C, WORD,    \
                                &t))                                                                                        \
    /* In the standard ABI, 19 is MPI_DISTRIBUTE_DFLT_DARG. */                                                              \
    TYPE(darray_19, WORDS, 0, OTHER,                                                                                        \
         MPI_Type_create_darray(2, 0, 1, INTS{50}, INTS{MPI_DISTRIBUTE_CYCLIC}, INTS{19}, INTS{2}, MPI_ORDER_C, WORD, &t))  \
    TYPE(zero_members, WORDS, 0, OTHER,                                                                                     \
         MPI_Type_create_struct(4, INTS{0, 2, 0, 2}, AINTS{-64, 8, 100, 20}, TYPES{MPI_DOUBLE, WORD, WORD, WORD}, &t))      \
    /* No long double: its last bytes are padding, which Open MPI 5 copies in most elements of a call, but not in all. */   \
    TYPE(mixed, BYTES, 0, OTHER,                                                                                            \
         MPI_Type_create_struct(4, INTS{1, 2, 3, 1}, AINTS{0, 8, 24, 32},                                                   \
                                TYPES{MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_C_DOUBLE_COMPLEX}, &t))                          \
    TYPE(lb_below, WORDS, 0, OTHER, t = resized(hindexed(), -16, 48))                                                       \
    TYPE(lb_far_below, WORDS, 0, OTHER, MPI_Type_create_hindexed(2, INTS{1, 3}, AINTS{-40, -12}, WORD, &t);                 \
         t = resized(t, -40, 44))                                                                                           \
    TYPE(nested, WORDS, 0, OTHER, MPI_Datatype inner = permuted_gaps(), middle;                                             \
         MPI_Type_create_hvector(2, 1, 44, inner, &middle);                                                                 \
         MPI_Type_create_struct(2, INTS{1, 2}, AINTS{0, 96}, TYPES{middle, WORD}, &t); MPI_Type_free(&middle);              \
         MPI_Type_free(&inner))                                                                                             \
    TYPE(nested_resized, WORDS, 0, OTHER, MPI_Datatype inner = lb_below(); MPI_Type_vector(3, 2, 3, inner, &t);             \
         MPI_Type_free(&inner))                                                                                             \
    /* Its parts have derived types inside. Open MPI makes new handles for them whenever it is asked. */                    \
    TYPE(                                                                                                                   \
        siblings, WORDS, 0, OTHER, MPI_Datatype inner[2], part[2]; for (int i = 0; i < 2; i++) {                            \
            MPI_Type_vector(2, 1, 2 + i, WORD, &inner[i]);                                                                  \
            MPI_Type_contiguous(3, inner[i], &part[i]);                                                                     \
        } MPI_Type_create_struct(2, INTS{1, 1}, AINTS{0, 36}, part, &t);                                                    \
        for (int i = 0; i < 2; i++) {                                                                                       \
            MPI_Type_free(&inner[i]);                                                                                       \
            MPI_Type_free(&part[i]);                                                                                        \
        })                                                                                                                  \
    TYPE(big_vector, WORDS, 3, OTHER, MPI_Type_vector(5002, 2, 3, WORD, &t))                                                \
    TYPE(big_blocks, WORDS, 7, OTHER, MPI_Type_vector(100, 61, 97, WORD, &t))                                               \
    TYPE(interleaved, WORDS, 128, OTHER, MPI_Type_vector(2, 2, 256, WORD, &t); t = resized(t, 0, 8))                        \
    TYPE(extent_negative, WORDS, 0, SENT, t = resized(contiguous(), 0, -20))

#define MAKE(name, words, most, class, ...)                                                                                 \
    static MPI_Datatype name(void)                                                                                          \
    {                                                                                                                       \
        MPI_Datatype t;                                                                                                     \
        __VA_ARGS__;                                                                                                        \
        return t;                                                                                                           \
    }
DERIVED(MAKE)

static const struct {
    const char *name;
    MPI_Datatype (*make)(void);
    bool words;
    int most;
    enum class class;
} derived[] = {
#define ROW(name, words, most, class, ...) {#name, name, words, most, class},
    DERIVED(ROW)};

enum { N_PREDEFINED = sizeof predefined / sizeof *predefined, N_DERIVED = sizeof derived / sizeof *derived };

struct type *types;
int n_types;
static const struct type *announced;

static struct type type_measure(const char *name, MPI_Datatype handle, enum class class)
{
    struct type t = {.name = name, .handle = handle, .class = class};
    MPI_Aint lb;
    MPI_Type_get_extent(handle, &lb, &t.extent);
    MPI_Type_get_true_extent(handle, &t.true_lb, &t.true_extent);
    const MPI_Aint low[] = {0, lb, t.true_lb}, high[] = {t.extent, lb + t.extent, t.true_lb + t.true_extent};
    for (int i = 0; i < 3; i++) {
        t.begin = low[i] < t.begin ? low[i] : t.begin;
        t.end = high[i] > t.end ? high[i] : t.end;
    }
    /* Elements that a program assigns do not overlap. */
    if (t.end - t.begin > labs(t.extent)) {
        const bool covers = lb <= low[2] && high[1] >= high[2];
        t.begin = covers ? lb : 0;
        t.end = covers ? high[1] : 0;
    }
    return t;
}

/* Finds the data of a derived type by MPI_Unpack of bytes that are all ones. */
struct type type_describe(const char *name, MPI_Datatype handle, enum class class, bool words)
{
    struct type t = type_measure(name, handle, class);
    int size, position = 0;
    MPI_Type_size(handle, &size);
    char *ones = malloc(size + 1), *map = calloc(t.true_extent + 1, 1);
    memset(ones, 0xff, size);
    if (size > 0)
        PMPI_Unpack(ones, size, &position, map - t.true_lb, 1, handle, MPI_COMM_SELF);

    size_t step = words ? 4 : 1;
    t.derived = true;
    t.words = words;
    t.leaf = malloc((size + 1) * sizeof *t.leaf);
    for (MPI_Aint i = 0; i < t.true_extent; i += map[i] ? (MPI_Aint)step : 1) {
        if (map[i])
            t.leaf[t.leaves++] = (struct leaf){t.true_lb + i, words ? I32 : I8};
    }
    assert(t.leaves * step == (size_t)size);
    free(ones);
    free(map);
    return t;
}

static struct type type_predefined(int i)
{
    int first = predefined[i].first, second = predefined[i].second;
    struct type t = type_measure(predefined[i].name, predefined[i].handle, predefined[i].class);
    t.leaf = malloc(2 * sizeof *t.leaf);
    t.leaf[t.leaves++] = (struct leaf){0, first};
    if (second != ONE) { /* it lies behind the first, aligned like the wider of the two */
        size_t offset = kinds[first].size > kinds[second].size ? kinds[first].size : kinds[second].size;
        t.leaf[t.leaves++] = (struct leaf){offset, second};
    }
    t.words = first == I32 && (second == I32 || second == ONE);
    return t;
}

void types_create(void)
{
    types = malloc((N_PREDEFINED + N_DERIVED) * sizeof *types);
    for (int i = 0; i < N_PREDEFINED; i++)
        types[n_types++] = type_predefined(i);
    for (int i = 0; i < N_DERIVED; i++) {
        MPI_Datatype handle = derived[i].make();
        MPI_Type_commit(&handle);
        types[n_types] = type_describe(derived[i].name, handle, derived[i].class, derived[i].words);
        types[n_types++].most = derived[i].most;
    }
}

void types_free(void)
{
    for (int i = 0; i < n_types; i++) {
        free(types[i].leaf);
        if (i >= N_PREDEFINED)
            MPI_Type_free(&types[i].handle);
    }
    free(types);
}

const struct type *type_find(const char *name)
{
    for (int i = 0; i < n_types; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

const struct type *type_of_handle(MPI_Datatype handle)
{
    if (announced && announced->handle == handle)
        return announced;
    for (int i = 0; i < n_types; i++)
        if (types[i].handle == handle)
            return &types[i];
    return NULL;
}

void type_announce(const struct type *extra)
{
    announced = extra;
}
