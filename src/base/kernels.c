/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain loops, for each level (levels.h). */
#include "kernels.h"
#include "levels.h"

#include <stdint.h>

/* Integers by an unsigned type W, where overflows wrap. */
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

/* Of two NaNs the first; SUM and PROD may give either. */
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

/* The compiler cannot undo it, as kernels are not inlined. */
#define TURNED(level, OP, T)                                                                                                \
    static void TURNED_##OP##_##T##_##level(void *out, const void *a, const void *b, size_t count)                          \
    {                                                                                                                       \
        OP##_##T##_##level(out, b, a, count);                                                                               \
    }

/* Whole vectors of 16 bytes as OP, the rest as REST. */
#define SPLIT(level, OP, T, type, REST)                                                                                     \
    static void SPLIT_##OP##_##T##_##level(void *out, const void *a, const void *b, size_t count)                           \
    {                                                                                                                       \
        const size_t rest = count % (16 / sizeof(type)), at = (count - rest) * sizeof(type);                                \
        OP##_##T##_##level(out, a, b, count - rest);                                                                        \
        REST##_##T##_##level((char *)out + at, (const char *)a + at, (const char *)b + at, rest);                           \
    }

#define DOUBLED(level, OP, T, R)                                                                                            \
    static void OP##_##T##_##level(void *out, const void *a, const void *b, size_t count)                                   \
    {                                                                                                                       \
        OP##_##R##_##level(out, a, b, 2 * count);                                                                           \
    }

/* Copies of operands, bit by bit. LESS: < or >. BITS: unsigned, of the same size. Hides the copy from the compiler. */
#define UNRELATED(p, q) __asm__("" : "+r"(p), "+r"(q))
#define KEPT(level, OP, T, type, BITS, LESS)                                                                                \
    TARGET_##level __attribute__((noinline)) static void KEPT_##OP##_##T##_##level(void *out, const void *a, const void *b, \
                                                                                   size_t count)                            \
    {                                                                                                                       \
        typedef type element ELEMENT;                                                                                       \
        typedef BITS copied ELEMENT;                                                                                        \
        const element *x = a, *y = b;                                                                                       \
        const copied *p = a, *q = b;                                                                                        \
        copied *o = out;                                                                                                    \
        UNRELATED(p, q);                                                                                                    \
        VECTORS                                                                                                             \
        for (size_t i = 0; i < count; i++)                                                                                  \
            o[i] = x[i] LESS y[i] ? p[i] : q[i];                                                                            \
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

/* Other operations on signed integers use the unsigned kernels. */
#define SIGNED(level, T, type)                                                                                              \
    KERNEL(level, MIN, T, type, type)                                                                                       \
    KERNEL(level, MAX, T, type, type)

#define BOTH(level, OP, T, type)                                                                                            \
    KERNEL(level, OP, T, type, type)                                                                                        \
    TURNED(level, OP, T)
#define REAL(level, T, type, BITS)                                                                                          \
    BOTH(level, SUM, T, type)                                                                                               \
    BOTH(level, PROD, T, type)                                                                                              \
    BOTH(level, MIN, T, type)                                                                                               \
    BOTH(level, MAX, T, type)                                                                                               \
    BOTH(level, FIRST_SUM, T, type)                                                                                         \
    BOTH(level, FIRST_PROD, T, type)                                                                                        \
    SPLIT(level, SUM, T, type, TURNED_FIRST_SUM)                                                                            \
    TURNED(level, SPLIT_SUM, T)                                                                                             \
    SPLIT(level, PROD, T, type, TURNED_FIRST_PROD)                                                                          \
    TURNED(level, SPLIT_PROD, T)                                                                                            \
    SPLIT(level, MIN, T, type, TURNED_MIN)                                                                                  \
    SPLIT(level, MAX, T, type, TURNED_MAX)                                                                                  \
    KEPT(level, MIN, T, type, BITS, <)                                                                                      \
    TURNED(level, KEPT_MIN, T)                                                                                              \
    KEPT(level, MAX, T, type, BITS, >)                                                                                      \
    TURNED(level, KEPT_MAX, T)

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
    REAL(level, F32, float, uint32_t)                                                                                       \
    REAL(level, F64, double, uint64_t)                                                                                      \
    COMPLEX(level, C32, F32)                                                                                                \
    COMPLEX(level, C64, F64)
EACH_LEVEL(KERNELS)

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

#define ONE(level, OP, T) [KERNEL_##OP] = {OP##_##T##_##level}
#define FIVE(level, OP, T)                                                                                                  \
    [KERNEL_##OP] = {OP##_##T##_##level, TURNED_##OP##_##T##_##level, KEPT_##OP##_##T##_##level,                            \
                     TURNED_KEPT_##OP##_##T##_##level, SPLIT_##OP##_##T##_##level}
#define FOUR(level, OP, T)                                                                                                  \
    [KERNEL_##OP] = {OP##_##T##_##level, TURNED_##OP##_##T##_##level, FIRST_##OP##_##T##_##level,                           \
                     TURNED_FIRST_##OP##_##T##_##level}
#define SIX(level, OP, T)                                                                                                   \
    [KERNEL_##OP] = {OP##_##T##_##level,         TURNED_##OP##_##T##_##level,                                               \
                     FIRST_##OP##_##T##_##level, TURNED_FIRST_##OP##_##T##_##level,                                         \
                     SPLIT_##OP##_##T##_##level, TURNED_SPLIT_##OP##_##T##_##level}
/* U: unsigned, of the same size. S: of the other signedness, for form 1. */
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
        SIX(level, SUM, T), SIX(level, PROD, T), FIVE(level, MIN, T), FIVE(level, MAX, T)                                   \
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

#define TRAITS(name, ...) {__VA_ARGS__},
const struct kernel_traits kernel_traits[] = {KERNELS_BY_TYPE(TRAITS)};

const char *kernel_op_name(enum kernel_op op)
{
#define WORD(name, word) word,
    static const char *const words[] = {KERNELS_BY_OP(WORD)};
    return words[op];
}
