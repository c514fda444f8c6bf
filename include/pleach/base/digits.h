/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact sums of floating-point numbers, as sums of integers: a rank's numbers become digits, signed words of 64 bits, which
 * the ranks add, each digit apart. No sum overflows, in any order. digits_get() rounds once, to nearest, ties to even. The
 * program's modes and flags of floating point do not matter. doc/exact-sums has the proof.
 *
 * Positions of bits count from the lowest bit of the smallest subnormal number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum real { REAL_FLOAT, REAL_DOUBLE, REALS };

enum { DIGITS_RANKS = 1 << 30 }; /* the most */

/* What bits numbers have. The greatest values of several ranges, field by field, are the range of all. */
struct bit_range {
    uint64_t high;  /* no bit at this position or above */
    uint64_t depth; /* no bit so far, or farther, below the type's highest position */
    uint64_t marks; /* 2: some are not finite; 1: all are finite, and none is -0; 0: else */
};

/*
 * Word k of number i of n is words[k * n + i]. Digits, the lowest first; then marks, which count what is not finite or not
 * -0.
 */
struct digits {
    enum real type;
    int bits;      /* of a digit; more are free for the sum */
    int base;      /* position of the lowest bit */
    int words;     /* digits of a number */
    int marks;     /* words of marks of a number */
    bool floating; /* sums of words are at most 2^51 in size, so that doubles convert them */
};

struct bit_range digits_range(enum real type, const void *numbers, int64_t n);

/* For any numbers. */
struct digits digits_full(enum real type, int ranks);

/* For numbers in this range. */
struct digits digits_window(enum real type, int ranks, const struct bit_range *all);

/* A window of floating digits for numbers much like these; `words` is 0 if there is none. */
struct digits digits_guess(enum real type, int ranks, const struct bit_range *all);

static inline int digits_size(const struct digits *d)
{
    return d->words + d->marks;
}

/* Numbers have any alignment. */
void digits_put(const struct digits *d, const void *numbers, int64_t n, int64_t *words);

/*
 * For a guess, and any numbers. Returns false if the window does not hold all of them; then words are undefined. Sets
 * *minus_zero if some number is -0.
 */
bool digits_try(const struct digits *d, const void *numbers, int64_t n, int64_t *words, bool *minus_zero);

/* Numbers have any alignment. A NaN is the positive quiet one without a payload. */
void digits_get(const struct digits *d, const int64_t *words, int64_t n, void *numbers);
