/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops over many numbers of digits.h, with the vector instructions of the processor. */
#pragma once

#include "digits.h"

/* The bits of numbers: how many stand behind the point, the sign, infinity; how many positions finite numbers have. */
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

/* What has been seen of numbers. */
struct bits_seen {
    uint64_t largest;  /* the bits of the largest magnitude that is finite */
    uint64_t exponent; /* the least one, where it stands in a number; that of infinity if all numbers are 0 */
    uint64_t mantissa; /* the bits that any mantissa has */
    bool infinite;     /* some number is not finite */
    bool minus_zero;   /* some number is -0 */
};

/* The magnitude of a sum. */
struct magnitude {
    uint64_t high; /* its upper bits, the uppermost one in bit 63; 0: the sum is 0 */
    bool more;     /* some bit below these is set */
    int top;       /* position above its uppermost bit */
    bool negative;
};

/* The bits of a sum, rounded. A number below 2^(fraction+1) is the integer that its bits are. */
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

enum { PUT_FEW = 3, GET_FEW = 2 }; /* the most digits of a number for these kernels */

/* As the functions of digits.h, without marks. */
struct digit_kernels {
    void (*see)(const void *numbers, int64_t n, struct bits_seen *s);
    void (*put)(const struct digits *d, const void *numbers, int64_t n, int64_t *words);
    void (*get)(const struct digits *d, const int64_t *words, int64_t n, void *numbers);
};

const struct digit_kernels *digit_kernels(enum real type);
