/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels; see kernels.h. They are plain loops, which the compiler turns into vector instructions, once for each level of
 * processors, whatever CFLAGS say. Vectors of 512 bits gain nothing in the cache, where these loops wait for loads. The
 * loops begin at lines of the cache: else some, which differ with each change of this file, lose 40 %.
 *
 * The level is asked for at run time. Functions that the dynamic linker chooses (ifunc) would bring code of ours into the
 * start of every process, before sanitizers can bear it, and not all C libraries have them.
 */
#include "kernels.h"

#include <stdint.h>

#if defined __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* without optimisation there are no vectors */
#define VECTORS _Pragma("clang loop vectorize(assume_safety)")
#else
#pragma GCC optimize("O3", "align-loops=64")
#define VECTORS _Pragma("GCC ivdep")
#endif

#ifdef __x86_64__
enum { LEVELS = 2 };
#define TARGET_0
#define TARGET_1 __attribute__((target("avx2")))
#define EACH_LEVEL(X) X(0) X(1)
#else
enum { LEVELS = 1 };
#define TARGET_0
#define EACH_LEVEL(X) X(0)
#endif

/* Elements of the application's, of whatever type, at whatever address. */
#define ELEMENT __attribute__((may_alias, aligned(1)))

/* The operations. Integers are added and multiplied in an unsigned type W, where overflows wrap. */
#define SUM(W, a, b) ((W)(a) + (W)(b))
#define PROD(W, a, b) ((W)(a) * (W)(b))
#define MIN(W, a, b) ((a) < (b) ? (a) : (b))
#define MAX(W, a, b) ((a) > (b) ? (a) : (b))
#define BAND(W, a, b) ((a) & (b))
#define BOR(W, a, b) ((a) | (b))
#define BXOR(W, a, b) ((a) ^ (b))
#define LAND(W, a, b) (((a) != 0) & ((b) != 0))
#define LOR(W, a, b) (((a) | (b)) != 0)
#define LXOR(W, a, b) (((a) != 0) != ((b) != 0))

/* The same, but of two NaNs the result is the first. In SUM it may be either, here and there in one loop. */
#define FIRST_SUM(W, a, b) ((a) + ((a) != (a) ? (a) : (b)))
#define FIRST_PROD(W, a, b) ((a) * ((a) != (a) ? (a) : (b)))

/* ---- Functions ------------------------------------------------------------------------------------------------------- */

#define KERNEL(level, OP, T, type, W)                                                                                       \
    TARGET_##level                                                                                                          \
        __attribute__((noinline)) static void OP##_##T##_##level(void *out, const void *a, const void *b, size_t count)     \
    {                                                                                                                       \
        typedef type element ELEMENT;                                                                                       \
        element *o = out;                                                                                                   \
        const element *x = a, *y = b;                                                                                       \
        VECTORS                                                                                                             \
        for (size_t i = 0; i < count; i++)                                                                                  \
            o[i] = (type)OP(W, x[i], y[i]);                                                                                 \
    }

/* With operands exchanged. Kernels are not inlined, so the compiler cannot exchange those of a sum here. */
#define TURNED(level, OP, T)                                                                                                \
    static void TURNED_##OP##_##T##_##level(void *out, const void *a, const void *b, size_t count)                          \
    {                                                                                                                       \
        OP##_##T##_##level(out, b, a, count);                                                                               \
    }

/* A sum of complex numbers is one of twice as many real numbers. */
#define DOUBLED(level, OP, T, R)                                                                                            \
    static void OP##_##T##_##level(void *out, const void *a, const void *b, size_t count)                                   \
    {                                                                                                                       \
        OP##_##R##_##level(out, a, b, 2 * count);                                                                           \
    }

#define UNSIGNED(level, T, type, W)                                                                                         \
    KERNEL(level, SUM, T, type, W)                                                                                          \
    KERNEL(level, PROD, T, type, W)                                                                                         \
    KERNEL(level, MIN, T, type, W)                                                                                          \
    KERNEL(level, MAX, T, type, W)                                                                                          \
    KERNEL(level, BAND, T, type, W)                                                                                         \
    KERNEL(level, BOR, T, type, W)                                                                                          \
    KERNEL(level, BXOR, T, type, W)                                                                                         \
    KERNEL(level, LAND, T, type, W)                                                                                         \
    KERNEL(level, LOR, T, type, W)                                                                                          \
    KERNEL(level, LXOR, T, type, W)

/* The other operations do not see the sign. */
#define SIGNED(level, T, type)                                                                                              \
    KERNEL(level, MIN, T, type, type)                                                                                       \
    KERNEL(level, MAX, T, type, type)

#define BOTH(level, OP, T, type)                                                                                            \
    KERNEL(level, OP, T, type, type)                                                                                        \
    TURNED(level, OP, T)
#define REAL(level, T, type)                                                                                                \
    BOTH(level, SUM, T, type)                                                                                               \
    BOTH(level, PROD, T, type)                                                                                              \
    BOTH(level, MIN, T, type)                                                                                               \
    BOTH(level, MAX, T, type)                                                                                               \
    BOTH(level, FIRST_SUM, T, type)                                                                                         \
    BOTH(level, FIRST_PROD, T, type)

#define COMPLEX(level, T, R)                                                                                                \
    DOUBLED(level, SUM, T, R)                                                                                               \
    DOUBLED(level, TURNED_SUM, T, R)                                                                                        \
    DOUBLED(level, FIRST_SUM, T, R)                                                                                         \
    DOUBLED(level, TURNED_FIRST_SUM, T, R)

#define KERNELS(level)                                                                                                      \
    UNSIGNED(level, U8, uint8_t, uint32_t)                                                                                  \
    UNSIGNED(level, U16, uint16_t, uint32_t)                                                                                \
    UNSIGNED(level, U32, uint32_t, uint32_t)                                                                                \
    UNSIGNED(level, U64, uint64_t, uint64_t)                                                                                \
    SIGNED(level, I8, int8_t)                                                                                               \
    SIGNED(level, I16, int16_t)                                                                                             \
    SIGNED(level, I32, int32_t)                                                                                             \
    SIGNED(level, I64, int64_t)                                                                                             \
    REAL(level, F32, float)                                                                                                 \
    REAL(level, F64, double)                                                                                                \
    COMPLEX(level, C32, F32)                                                                                                \
    COMPLEX(level, C64, F64)
EACH_LEVEL(KERNELS)

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

#define ONE(level, OP, T) [KERNEL_##OP] = {OP##_##T##_##level}
#define TWO(level, OP, T) [KERNEL_##OP] = {OP##_##T##_##level, TURNED_##OP##_##T##_##level}
#define FOUR(level, OP, T)                                                                                                  \
    [KERNEL_##OP] = {OP##_##T##_##level, TURNED_##OP##_##T##_##level, FIRST_##OP##_##T##_##level,                           \
                     TURNED_FIRST_##OP##_##T##_##level}
/* U: the type without a sign; S: with the other sign, for the other form. */
#define INTEGERS(level, T, U, S)                                                                                            \
    {                                                                                                                       \
        ONE(level, SUM, U), ONE(level, PROD, U), ONE(level, BAND, U), ONE(level, BOR, U), ONE(level, BXOR, U),              \
            ONE(level, LAND, U), ONE(level, LOR, U),                                                                        \
            ONE(level, LXOR, U), [KERNEL_MIN] = {MIN_##T##_##level, MIN_##S##_##level}, [KERNEL_MAX] = {                    \
                MAX_##T##_##level,                                                                                          \
                MAX_##S##_##level                                                                                           \
            }                                                                                                               \
    }
#define REALS(level, T)                                                                                                     \
    {                                                                                                                       \
        FOUR(level, SUM, T), FOUR(level, PROD, T), TWO(level, MIN, T), TWO(level, MAX, T)                                   \
    }
#define TABLE(level)                                                                                                        \
    {[KERNEL_U8] = INTEGERS(level, U8, U8, I8),                                                                             \
     [KERNEL_U16] = INTEGERS(level, U16, U16, I16),                                                                         \
     [KERNEL_U32] = INTEGERS(level, U32, U32, I32),                                                                         \
     [KERNEL_U64] = INTEGERS(level, U64, U64, I64),                                                                         \
     [KERNEL_I8] = INTEGERS(level, I8, U8, U8),                                                                             \
     [KERNEL_I16] = INTEGERS(level, I16, U16, U16),                                                                         \
     [KERNEL_I32] = INTEGERS(level, I32, U32, U32),                                                                         \
     [KERNEL_I64] = INTEGERS(level, I64, U64, U64),                                                                         \
     [KERNEL_F32] = REALS(level, F32),                                                                                      \
     [KERNEL_F64] = REALS(level, F64),                                                                                      \
     [KERNEL_C32] = {FOUR(level, SUM, C32)},                                                                                \
     [KERNEL_C64] = {FOUR(level, SUM, C64)}},

static fold_kernel *const kernels[LEVELS][KERNEL_TYPES][KERNEL_OPS][KERNEL_FORMS] = {EACH_LEVEL(TABLE)};

int kernel_levels(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? LEVELS : 1;
#else
    return LEVELS;
#endif
}

fold_kernel *kernel_at(int level, enum kernel_op op, enum kernel_type type, int form)
{
    return kernels[level][type][op][form];
}

const struct kernel_traits kernel_traits[KERNEL_TYPES] = {
    [KERNEL_U8] = {"uint8", 1, 1, 0},
    [KERNEL_U16] = {"uint16", 2, 1, 0},
    [KERNEL_U32] = {"uint32", 4, 1, 0},
    [KERNEL_U64] = {"uint64", 8, 1, 0},
    [KERNEL_I8] = {"int8", 1, 1, 0},
    [KERNEL_I16] = {"int16", 2, 1, 0},
    [KERNEL_I32] = {"int32", 4, 1, 0},
    [KERNEL_I64] = {"int64", 8, 1, 0},
    [KERNEL_F32] = {"float", 4, 1, 23},
    [KERNEL_F64] = {"double", 8, 1, 52},
    [KERNEL_C32] = {"complex float", 4, 2, 23},
    [KERNEL_C64] = {"complex double", 8, 2, 52},
};

const char *kernel_op_name(enum kernel_op op)
{
    static const char *const name[KERNEL_OPS] = {"sum", "prod", "min", "max", "band", "bor", "bxor", "land", "lor", "lxor"};
    return name[op];
}
