/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact sums of floating-point numbers, as sums of integers. Each rank turns its numbers into digits: signed words of 64
 * bits. The ranks add their words, for each digit apart. No such sum overflows, in any order. digits_get() rounds the sums
 * once, to nearest, ties to even. doc/exact-sums has the proof. No function computes in floating point, so neither rounding
 * modes nor flags for subnormal numbers count.
 *
 * The position of a bit counts from the lowest bit of the smallest subnormal number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum real { REAL_FLOAT, REAL_DOUBLE, REALS };

enum { DIGITS_RANKS = 1 << 30 }; /* the most ranks */

/*
 * Where the numbers of a block have bits. The largest values of several ranges, field by field, are the range of all their
 * numbers.
 */
struct bit_range {
    uint64_t high;  /* no number has a bit at this position or above */
    uint64_t depth; /* no number has a bit so far, or farther, below the type's highest position */
    uint64_t marks; /* 2: some number is not finite; 1: none of these, and no number is -0; 0: neither of both */
};

/*
 * How n numbers become words. Word k of number i is words[k * n + i]. The digits come first, from the lowest one up. Then
 * come the marks, which count what is not finite, and what is not -0.
 */
struct digits {
    enum real type;
    int bits;  /* of a digit; more than that are free for the sum */
    int base;  /* the position of the lowest bit */
    int words; /* digits of a number */
    int marks; /* words of marks of a number: 0, 1 or 2 */
};

/* The range of n numbers. */
struct bit_range digits_range(enum real type, const void *numbers, int64_t n);

/* The digits for any numbers on up to so many ranks. */
struct digits digits_full(enum real type, int ranks);

/* The digits for numbers in this range. */
struct digits digits_window(enum real type, int ranks, const struct bit_range *all);

/* The words of a number. */
static inline int digits_size(const struct digits *d)
{
    return d->words + d->marks;
}

/* Turns numbers, at any alignment, into words. */
void digits_put(const struct digits *d, const void *numbers, int64_t n, int64_t *words);

/* Turns sums of words into numbers, at any alignment. A NaN is the positive quiet one without a payload. */
void digits_get(const struct digits *d, const int64_t *words, int64_t n, void *numbers);
