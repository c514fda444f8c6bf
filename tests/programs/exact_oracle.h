/* SPDX-License-Identifier: BSD-2-Clause */
/* What the exact sum of floating-point numbers is, and numbers of all kinds. Shares no code with Pleach. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FLOATS, DOUBLES };
static const struct {
    int fraction, exponent, lowest, size; /* bits behind the point, and of the exponent; the lowest bit is 2^lowest; bytes */
} real_types[2] = {[FLOATS] = {23, 8, -149, sizeof(float)}, [DOUBLES] = {52, 11, -1074, sizeof(double)}};

/* ---- The oracle ------------------------------------------------------------------------------------------------------ */

enum { POSITIONS = 2200, CARRIES = 64 };

/* A sum, with a counter for each bit. */
struct exact_oracle {
    int64_t bit[POSITIONS]; /* bit i is worth 2^(i - 1074) */
    int low, high;          /* all counters outside of low .. high - 1 are 0 */
    bool plus, minus, nan, only_minus_zero;
};

static inline void oracle_start(struct exact_oracle *e)
{
    memset(e, 0, sizeof *e);
    e->low = POSITIONS;
    e->only_minus_zero = true;
}

/* Adds `times` times x. */
static inline void oracle_add(struct exact_oracle *e, double x, int64_t times)
{
    e->only_minus_zero &= x == 0 && signbit(x);
    e->nan |= isnan(x) != 0;
    e->plus |= isinf(x) && x > 0;
    e->minus |= isinf(x) && x < 0;
    if (!isfinite(x) || x == 0)
        return;
    int exponent;
    double rest = frexp(fabs(x), &exponent);
    for (int at = exponent - 1 + 1074; rest > 0; at--) {
        rest *= 2;
        e->high = at + CARRIES > e->high ? at + CARRIES : e->high;
        e->low = at < e->low ? at : e->low;
        if (rest >= 1) {
            e->bit[at] += x < 0 ? -times : times;
            rest -= 1;
        }
    }
}

/* Carries, so that every counter is 0 or 1. Returns what is carried out. */
static inline int64_t oracle_carry(struct exact_oracle *e)
{
    int64_t carry = 0;
    for (int i = e->low; i < e->high; i++) {
        const int64_t x = e->bit[i] + carry;
        e->bit[i] = x & 1;
        carry = (x - e->bit[i]) / 2;
    }
    return carry;
}

/* Makes every counter 0 or 1. Returns true if the sum is negative: then the bits are those of its magnitude. */
static inline bool oracle_settle(struct exact_oracle *e)
{
    const bool negative = oracle_carry(e) < 0;
    for (int i = e->low; negative && i < e->high; i++)
        e->bit[i] = -e->bit[i];
    if (negative)
        oracle_carry(e);
    return negative;
}

/* The sum, rounded to a type. Changes the oracle. */
static inline double oracle_sum(struct exact_oracle *e, int type)
{
    if (e->nan || (e->plus && e->minus))
        return NAN;
    if (e->plus || e->minus)
        return e->plus ? INFINITY : -INFINITY;
    if (e->only_minus_zero)
        return -0.0;
    const bool negative = oracle_settle(e);
    int top = e->high - 1;
    while (top >= e->low && !e->bit[top])
        top--;
    if (top < e->low)
        return 0;
    const int least = real_types[type].lowest + 1074, whole = top - real_types[type].fraction;
    const int unit = whole > least ? whole : least;
    double x = 0;
    for (int i = top; i >= unit; i--)
        x = 2 * x + (double)e->bit[i];
    bool half = unit > 0 && e->bit[unit - 1], more = false;
    for (int i = e->low; i < unit - 1; i++)
        more |= e->bit[i];
    if (half && (more || fmod(x, 2) != 0))
        x++;
    x = ldexp(x, unit - 1074);
    if (type == FLOATS && x > 0x1.fffffep127)
        x = INFINITY;
    return negative ? -x : x;
}

/* ---- Numbers --------------------------------------------------------------------------------------------------------- */

static uint64_t random_state = 7;

static inline uint64_t random_bits(int n)
{
    uint64_t x;
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    x = random_state ^ random_state >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 32) >> (64 - n);
}

static inline int random_below(int n)
{
    return (int)(random_bits(31) % (uint64_t)n);
}

static inline double from_bits(int type, uint64_t bits)
{
    const uint32_t narrow = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &narrow, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return type == FLOATS ? (double)f : d;
}

/* A number of one of these kinds: any, subnormal, near the largest, near 1, zero, near whole; if `wild`, not finite. */
static inline double number(int type, bool wild)
{
    const int m = real_types[type].fraction, e = real_types[type].exponent;
    const uint64_t sign = random_bits(1) << (m + e), largest = (UINT64_C(1) << (e + m)) - (UINT64_C(1) << m) - 1;
    const uint64_t one = (UINT64_C(1) << (e - 1)) - 1, infinity = largest + 1;
    for (;;) {
        uint64_t bits = 0;
        switch (random_below(wild ? 8 : 6)) {
        case 0:
            bits = random_bits(m + e);
            break;
        case 1:
            bits = random_bits(4);
            break;
        case 2:
            bits = largest - random_bits(2);
            break;
        case 3:
            bits = (one + (uint64_t)random_below(3)) << m | random_bits(2);
            break;
        case 4:
            break;
        case 5:
            bits = (one + (uint64_t)(m + random_below(5) - 2)) << m | random_bits(m);
            break;
        case 6:
            bits = infinity;
            break;
        default:
            bits = infinity + 1 + random_bits(3);
        }
        const double x = from_bits(type, bits | sign);
        if (wild || isfinite(x))
            return x;
    }
}

static inline void store(int type, void *to, int i, double x)
{
    const float f = (float)x;
    if (type == FLOATS)
        memcpy((char *)to + (size_t)i * sizeof f, &f, sizeof f);
    else
        memcpy((char *)to + (size_t)i * sizeof x, &x, sizeof x);
}

static inline double load(int type, const void *from, int i)
{
    float f;
    double d;
    if (type == FLOATS)
        return memcpy(&f, (const char *)from + (size_t)i * sizeof f, sizeof f), f;
    return memcpy(&d, (const char *)from + (size_t)i * sizeof d, sizeof d), d;
}

/* Are the bits the same? A NaN must be the positive quiet one without a payload. */
static inline bool same_bits(double got, double want)
{
    const double nan = from_bits(DOUBLES, UINT64_C(0x7ff8) << 48);
    return memcmp(&got, isnan(want) ? &nan : &want, sizeof got) == 0;
}
