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

/* The exponent of position 0. */
static inline int real_unit(enum real type)
{
    return type == REAL_FLOAT ? -149 : -1074;
}

struct bits_seen {
    uint64_t largest;  /* of the largest finite magnitude */
    uint64_t exponent; /* the least, in its place in a number; infinity's if all are 0 */
    uint64_t mantissa; /* of any mantissa */
    bool infinite;
    bool minus_zero;
};

/* See digits.h. Digits are `floating`; the arithmetic is ours (arithmetic.h). */
struct digit_kernels {
    void (*see)(const void *numbers, int64_t n, struct bits_seen *s);
    /* Returns false if the digits do not hold some number; then `words` are undefined. */
    bool (*put)(const struct digits *d, const void *numbers, int64_t n, int64_t *words, bool *minus_zero);
    void (*get)(const struct digits *d, const int64_t *words, int64_t n, void *numbers);
};

const struct digit_kernels *digit_kernels(enum real type);
