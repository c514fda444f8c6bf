/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops of digits.h, with vector instructions. */
#pragma once

#include "digits.h"

/* Bits behind the point; the sign, infinity; positions of finite numbers. */
static inline int real_fraction(enum real type)
{
    return type == REAL_FLOAT ? 23 : 52;
}

static inline uint64_t real_sign(enum real type)
{
    return UINT64_C(1) << (type == REAL_FLOAT ? 31 : 63);
}

static inline uint64_t real_infinity(enum real type)
{
    return type == REAL_FLOAT ? UINT64_C(0xff) << 23 : UINT64_C(0x7ff) << 52;
}

static inline int real_positions(enum real type)
{
    return type == REAL_FLOAT ? 277 : 2098;
}

struct bits_seen {
    uint64_t largest;  /* of the largest finite magnitude */
    uint64_t exponent; /* the least, in its place in a number; infinity's if all are 0 */
    uint64_t mantissa; /* of any mantissa */
    bool infinite;
    bool minus_zero;
};

struct magnitude {
    uint64_t high; /* upper bits, the first in bit 63; 0: the sum is 0 */
    bool more;     /* bits below these */
    int top;       /* position above its first bit */
    bool negative;
};

/* The rounded sum. Below 2^(fraction+1), its bits are the number. */
static inline uint64_t rounded(enum real type, const struct magnitude *s)
{
    const int length = real_fraction(type) + 1, beyond = s->top - length;
    const uint64_t half = UINT64_C(1) << 63;
    uint64_t bits = 0;
    if (s->high && beyond <= 0)
        bits = s->high >> (64 - s->top);
    else if (s->high) {
        const uint64_t mantissa = s->high >> (64 - length), rest = s->high << length;
        const bool up = (rest > half) | ((rest == half) & (s->more | (mantissa & 1)));
        bits = ((uint64_t)beyond << real_fraction(type)) + mantissa + up;
        bits = bits < real_infinity(type) ? bits : real_infinity(type);
    }
    return bits | (s->negative ? real_sign(type) : 0);
}

enum { PUT_FEW = 3, GET_FEW = 2 }; /* most digits of a number */

/* See digits.h; without marks. */
struct digit_kernels {
    void (*see)(const void *numbers, int64_t n, struct bits_seen *s);
    void (*put)(const struct digits *d, const void *numbers, int64_t n, int64_t *words);
    void (*get)(const struct digits *d, const int64_t *words, int64_t n, void *numbers);
};

const struct digit_kernels *digit_kernels(enum real type);
