/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops without branches, which become vector instructions. */
#include "digit_kernels.h"
#include "kernels.h"
#include "levels.h"

#include <string.h>

#ifdef __FAST_MATH__
#error "Exact sums need arithmetic as IEEE 754 defines it: compile this file without -ffast-math"
#endif

#define INLINE __attribute__((always_inline)) static inline

typedef uint32_t narrow ELEMENT;
typedef uint64_t wide ELEMENT;
typedef float single ELEMENT;
typedef double real ELEMENT;

INLINE int64_t bits_at(enum real type, const void *numbers, int64_t i)
{
    return type == REAL_FLOAT ? (int64_t)((const narrow *)numbers)[i] : (int64_t)((const wide *)numbers)[i];
}

INLINE int64_t mask(bool holds)
{
    return -(int64_t)holds;
}

/* ---- See ------------------------------------------------------------------------------------------------------------- */

INLINE void see(enum real type, const void *numbers, int64_t n, struct bits_seen *s)
{
    const int64_t one = INT64_C(1) << real_fraction(type), infinity = (int64_t)real_infinity(type);
    const int64_t sign = (int64_t)real_sign(type);
    int64_t largest = 0, least = infinity, any = 0, infinite = 0, minus_zero = 0;
    VECTORS
    for (int64_t i = 0; i < n; i++) {
        const int64_t bits = bits_at(type, numbers, i), magnitude = bits & ~sign, finite = mask(magnitude < infinity);
        const int64_t x = magnitude & finite, exponent = x & infinity, nonzero = mask(x > 0);
        const int64_t candidate = (exponent & nonzero) | (infinity & ~nonzero);
        largest = x > largest ? x : largest;
        least = candidate < least ? candidate : least;
        any |= (x & (one - 1)) | (one & mask(exponent > 0));
        infinite |= ~finite;
        minus_zero |= mask(bits == sign);
    }
    *s = (struct bits_seen){(uint64_t)largest, (uint64_t)least, (uint64_t)any, infinite, minus_zero};
}

/* ---- Digits as doubles ----------------------------------------------------------------------------------------------- */

/* Added to a double of at most 2^51 in size, it leaves the nearest integer in the low bits of the sum. */
static const double lift = 0x1.8p52;

INLINE int64_t bits_of(double x)
{
    int64_t bits;
    return memcpy(&bits, &x, sizeof bits), bits;
}

INLINE double double_of(int64_t bits)
{
    double x;
    return memcpy(&x, &bits, sizeof x), x;
}

INLINE double power_of_two(int exponent)
{
    return double_of((int64_t)(exponent + 1023) << 52);
}

/*
 * The uppermost digit is the nearest integer; what remains, and is exact, has the others. Nothing may remain in the end. The
 * comparisons fail for what is not finite, and for numbers that become 0 by `scale`.
 */
INLINE bool put_words(enum real type, const struct digits *d, const void *numbers, int64_t n, int64_t *words, int count,
                      bool *minus_zero)
{
    const double next = power_of_two(d->bits), scale = power_of_two(-real_unit(type) - d->base - (count - 1) * d->bits);
    const int64_t sign = (int64_t)real_sign(type);
    int64_t held = -1, zeros = 0;
    VECTORS
    for (int64_t i = 0; i < n; i++) {
        const double number = type == REAL_FLOAT ? (double)((const single *)numbers)[i] : ((const real *)numbers)[i];
        double x = number * scale;
        held &= mask(x <= next) & mask(x >= -next) & mask((x == 0) == (number == 0));
        zeros |= mask(bits_at(type, numbers, i) == sign);
        for (int k = count - 1; k >= 0; k--) {
            const double up = x + lift;
            words[k * n + i] = bits_of(up) - bits_of(lift);
            x = (x - (up - lift)) * next;
        }
        held &= mask(x == 0);
    }
    *minus_zero = zeros;
    return held;
}

/* Each word is a double, exactly; so their sum is rounded once. */
INLINE void get_words(enum real type, const struct digits *d, const int64_t *words, int64_t n, void *numbers, int count)
{
    const double next = power_of_two(d->bits), scale = power_of_two(real_unit(type) + d->base);
    VECTORS
    for (int64_t i = 0; i < n; i++) {
        double x = 0;
        for (int k = count - 1; k >= 0; k--)
            x = x * next + (double_of(words[k * n + i] + bits_of(lift)) - lift);
        if (type == REAL_FLOAT)
            ((single *)numbers)[i] = (float)(x * scale);
        else
            ((real *)numbers)[i] = x * scale;
    }
}

INLINE bool put(enum real type, const struct digits *d, const void *numbers, int64_t n, int64_t *words, bool *minus_zero)
{
    return d->words == 1 ? put_words(type, d, numbers, n, words, 1, minus_zero)
                         : put_words(type, d, numbers, n, words, 2, minus_zero);
}

INLINE void get(enum real type, const struct digits *d, const int64_t *words, int64_t n, void *numbers)
{
    if (d->words == 1)
        get_words(type, d, words, n, numbers, 1);
    else
        get_words(type, d, words, n, numbers, 2);
}

/* ---- Levels ---------------------------------------------------------------------------------------------------------- */

#define KERNELS(level, type)                                                                                                \
    TARGET_##level static void see_##type##_##level(const void *numbers, int64_t n, struct bits_seen *s)                    \
    {                                                                                                                       \
        see(type, numbers, n, s);                                                                                           \
    }                                                                                                                       \
    TARGET_##level static bool put_##type##_##level(const struct digits *d, const void *numbers, int64_t n, int64_t *words, \
                                                    bool *minus_zero)                                                       \
    {                                                                                                                       \
        return put(type, d, numbers, n, words, minus_zero);                                                                 \
    }                                                                                                                       \
    TARGET_##level static void get_##type##_##level(const struct digits *d, const int64_t *words, int64_t n, void *numbers) \
    {                                                                                                                       \
        get(type, d, words, n, numbers);                                                                                    \
    }
#define BOTH_TYPES(level) KERNELS(level, REAL_FLOAT) KERNELS(level, REAL_DOUBLE)
EACH_LEVEL(BOTH_TYPES)

#define ROW(level, type) [type] = {see_##type##_##level, put_##type##_##level, get_##type##_##level}
#define ROWS(level) {ROW(level, REAL_FLOAT), ROW(level, REAL_DOUBLE)},

const struct digit_kernels *digit_kernels(enum real type)
{
    static const struct digit_kernels kernels[LEVELS][REALS] = {EACH_LEVEL(ROWS)};
    return &kernels[kernel_levels() - 1][type];
}
