/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops without branches, which become vector instructions. */
#include "digit_kernels.h"
#include "kernels.h"
#include "levels.h"

#define INLINE __attribute__((always_inline)) static inline

typedef uint32_t narrow ELEMENT;
typedef uint64_t wide ELEMENT;

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

/* ---- Put ------------------------------------------------------------------------------------------------------------- */

INLINE void put_words(enum real type, const struct digits *d, const void *numbers, int64_t n, int64_t *words, int count)
{
    const int fraction = real_fraction(type), width = d->bits;
    const int64_t one = INT64_C(1) << fraction, most = (int64_t)real_infinity(type) >> fraction, base = d->base;
    const int64_t sign = (int64_t)real_sign(type), digit = (INT64_C(1) << width) - 1;
    VECTORS
    for (int64_t i = 0; i < n; i++) {
        const int64_t bits = bits_at(type, numbers, i), exponent = (bits & ~sign) >> fraction, normal = mask(exponent > 0);
        const int64_t negative = mask((bits & sign) != 0), finite = mask(exponent < most);
        const uint64_t mantissa = (uint64_t)(((bits & (one - 1)) | (one & normal)) & finite);
        int64_t shift = exponent + normal - base; /* to the left: normal is 0 or -1 */
        for (int k = 0; k < count; k++, shift -= width) {
            const int64_t left = mask(shift >= 0), distance = (shift ^ ~left) - ~left;
            const uint64_t x = mantissa & (uint64_t)mask(distance < 64), by = (uint64_t)distance & 63;
            const int64_t part = (int64_t)((x << by & (uint64_t)left) | (x >> by & ~(uint64_t)left)) & digit;
            words[k * n + i] = (part ^ negative) - negative;
        }
    }
}

INLINE void put(enum real type, const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    if (d->words == 1)
        put_words(type, d, numbers, n, words, 1);
    else if (d->words == 2)
        put_words(type, d, numbers, n, words, 2);
    else
        put_words(type, d, numbers, n, words, 3);
}

/* ---- Get ------------------------------------------------------------------------------------------------------------- */

INLINE struct magnitude magnitude_of(const struct digits *d, int64_t low, int64_t high)
{
    const uint64_t digit = (UINT64_C(1) << d->bits) - 1;
    const int64_t carried = high + (low >> d->bits), negative = mask(carried < 0);
    const uint64_t below = (uint64_t)low & digit, minus = (uint64_t)negative;
    const uint64_t upper = ((uint64_t)carried ^ minus) + (minus & (below == 0)), lower = ((below ^ minus) - minus) & digit;
    uint64_t x = upper >> (64 - d->bits), rest = lower | upper << d->bits; /* x * 2^64 + rest */
    int top = d->base + 128;
    if (!x) {
        x = rest;
        rest = 0;
        top -= 64;
    }
    const int zeros = x ? __builtin_clzll(x) : 0;
    return (struct magnitude){x << zeros | (zeros ? rest >> (64 - zeros) : 0), rest << zeros, top - zeros, negative};
}

INLINE void get_words(enum real type, const struct digits *d, const int64_t *words, int64_t n, void *numbers, int count)
{
    for (int64_t i = 0; i < n; i++) {
        const struct magnitude s = magnitude_of(d, words[i], count > 1 ? words[n + i] : 0);
        const uint64_t bits = rounded(type, &s);
        if (type == REAL_FLOAT)
            ((narrow *)numbers)[i] = (uint32_t)bits;
        else
            ((wide *)numbers)[i] = bits;
    }
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
    TARGET_##level static void put_##type##_##level(const struct digits *d, const void *numbers, int64_t n, int64_t *words) \
    {                                                                                                                       \
        put(type, d, numbers, n, words);                                                                                    \
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
