/* SPDX-License-Identifier: BSD-2-Clause */
/* See digits.h and doc/exact-sums. */
#include "digits.h"

#include "arithmetic.h"
#include "digit_kernels.h"

#include <assert.h>
#include <string.h>

enum { WORDS_MOST = 66 };

/* ---- Numbers --------------------------------------------------------------------------------------------------------- */

/* mantissa * 2^shift, in its lowest position; not finite: 0. */
struct parts {
    uint64_t mantissa;
    int shift;
    bool negative;
};

static inline struct parts parts_of(enum real type, uint64_t bits)
{
    const uint64_t magnitude = bits & ~real_sign(type), exponent = magnitude >> real_fraction(type);
    const uint64_t one = UINT64_C(1) << real_fraction(type);
    const uint64_t mantissa = (magnitude & (one - 1)) | (exponent ? one : 0);
    return (struct parts){magnitude < real_infinity(type) ? mantissa : 0, (int)exponent - (exponent > 0),
                          bits & real_sign(type)};
}

static inline uint64_t bits_at(enum real type, const void *numbers, int64_t i)
{
    uint32_t narrow;
    uint64_t wide;
    if (type == REAL_FLOAT)
        return memcpy(&narrow, (const char *)numbers + i * (int64_t)sizeof narrow, sizeof narrow), narrow;
    return memcpy(&wide, (const char *)numbers + i * (int64_t)sizeof wide, sizeof wide), wide;
}

static inline void set_bits(enum real type, void *numbers, int64_t i, uint64_t bits)
{
    const uint32_t narrow = (uint32_t)bits;
    if (type == REAL_FLOAT)
        memcpy((char *)numbers + i * (int64_t)sizeof narrow, &narrow, sizeof narrow);
    else
        memcpy((char *)numbers + i * (int64_t)sizeof bits, &bits, sizeof bits);
}

static inline int length(uint64_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

/* ---- Range ----------------------------------------------------------------------------------------------------------- */

/* The lowest bit of all mantissas bounds each. */
struct bit_range digits_range(enum real type, const void *numbers, int64_t n)
{
    struct bits_seen s;
    digit_kernels(type)->see(numbers, n, &s);
    const struct parts most = parts_of(type, s.largest), least = parts_of(type, s.exponent);
    const int high = most.shift + length(most.mantissa), low = s.mantissa ? least.shift + __builtin_ctzll(s.mantissa) : 0;
    const uint64_t depth = s.mantissa ? (uint64_t)(real_positions(type) - low) : 0;
    return (struct bit_range){s.mantissa ? (uint64_t)high : 0, depth, s.infinite ? 2 : !s.minus_zero};
}

/* ---- Layout ---------------------------------------------------------------------------------------------------------- */

static int digit_bits(int ranks)
{
    assert(ranks >= 1 && ranks <= DIGITS_RANKS);
    return 62 - length((uint64_t)ranks - 1);
}

static int mark_bits(int marks)
{
    return marks == 1 ? 15 : 31;
}

static int marks_for(int ranks)
{
    return ranks < 1 << mark_bits(1) ? 1 : 2;
}

static int words_for(int positions, int bits)
{
    return positions > bits ? (positions + bits - 1) / bits : 1;
}

struct digits digits_full(enum real type, int ranks)
{
    const int bits = digit_bits(ranks);
    return (struct digits){type, bits, 0, words_for(real_positions(type), bits), marks_for(ranks), false};
}

/* Digits that can be doubles, if two suffice (for floats, one), and factors of conversions are normal doubles. */
struct digits digits_window(enum real type, int ranks, const struct bit_range *all)
{
    const int bits = digit_bits(ranks), narrow = bits - 11, marks = all->marks == 1 ? 0 : marks_for(ranks);
    const int high = (int)all->high, base = high ? real_positions(type) - (int)all->depth : real_fraction(type);
    const bool floating = !marks && words_for(high - base, narrow) <= (type == REAL_FLOAT ? 1 : 2) &&
                          base >= real_fraction(type) && high < real_positions(type);
    const int width = floating ? narrow : bits;
    return (struct digits){type, width, base, words_for(high - base, width), marks, floating};
}

/* Half of the free bits go above the range, and half below. */
struct digits digits_guess(enum real type, int ranks, const struct bit_range *all)
{
    struct digits d = digits_window(type, ranks, all);
    const int above = d.bits * d.words, room = d.base + above - (int)all->high;
    const int least = real_fraction(type), most = real_positions(type) - 1 - above, base = d.base - room / 2;
    d.base = base < least ? least : base > most ? most : base;
    d.words = d.floating && all->high ? d.words : 0;
    return d;
}

/* ---- Numbers to words ------------------------------------------------------------------------------------------------ */

enum { PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER, NOT_MINUS_ZERO, MARKS };

static inline void mark(int64_t *words, int64_t n, int marks, int which)
{
    const int in_word = MARKS / marks;
    words[which / in_word * n] += INT64_C(1) << mark_bits(marks) * (which % in_word);
}

static void put_marks(const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    const uint64_t sign = real_sign(d->type), infinity = real_infinity(d->type);
    memset(words, 0, (size_t)(d->marks * n) * sizeof *words);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = bits_at(d->type, numbers, i), magnitude = bits & ~sign;
        if (magnitude >= infinity)
            mark(words + i, n, d->marks, magnitude > infinity ? NOT_A_NUMBER : bits & sign ? MINUS_INFINITY : PLUS_INFINITY);
        if (bits != sign)
            mark(words + i, n, d->marks, NOT_MINUS_ZERO);
    }
}

static inline uint64_t moved(uint64_t x, int shift, int bits)
{
    const uint64_t left = shift >= 0 && shift < 64 ? x << (shift & 63) : 0;
    const uint64_t right = shift < 0 && shift > -64 ? x >> (-shift & 63) : 0;
    return (left | right) & ((UINT64_C(1) << bits) - 1);
}

static inline int64_t with_sign(uint64_t digit, bool negative)
{
    return negative ? -(int64_t)digit : (int64_t)digit;
}

static void put_sparse(const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    memset(words, 0, (size_t)(d->words * n) * sizeof *words);
    for (int64_t i = 0; i < n; i++) {
        const struct parts x = parts_of(d->type, bits_at(d->type, numbers, i));
        const int from = x.shift - d->base, to = from + length(x.mantissa);
        for (int k = from > 0 ? from / d->bits : 0; x.mantissa && k * d->bits < to; k++)
            words[k * n + i] = with_sign(moved(x.mantissa, from - k * d->bits, d->bits), x.negative);
    }
}

bool digits_try(const struct digits *d, const void *numbers, int64_t n, int64_t *words, bool *minus_zero)
{
    struct program_state program;
    arithmetic_begin(&program);
    const bool held = digit_kernels(d->type)->put(d, numbers, n, words, minus_zero);
    arithmetic_end(&program);
    return held;
}

void digits_put(const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    bool minus_zero;
    if (d->floating)
        digits_try(d, numbers, n, words, &minus_zero);
    else
        put_sparse(d, numbers, n, words);
    if (d->marks)
        put_marks(d, numbers, n, words + d->words * n);
}

/* ---- Words to numbers ------------------------------------------------------------------------------------------------ */

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

/* Makes digits positive. Returns the one above. */
static inline uint64_t carry_digits(const struct digits *d, const int64_t *words, int64_t n, uint64_t *digit, bool *negative)
{
    const uint64_t mask = (UINT64_C(1) << d->bits) - 1;
    int64_t carry = 0;
    for (int k = 0; k < d->words; k++) {
        const int64_t x = words[k * n] + carry;
        digit[k] = (uint64_t)x & mask;
        carry = x >> d->bits;
    }
    *negative = carry < 0;
    if (carry >= 0)
        return (uint64_t)carry;
    uint64_t one = 1;
    for (int k = 0; k < d->words; k++) {
        const uint64_t x = (~digit[k] & mask) + one;
        digit[k] = x & mask;
        one = x >> d->bits;
    }
    return ~(uint64_t)carry + one;
}

static inline struct magnitude magnitude_of(const struct digits *d, const int64_t *words, int64_t n)
{
    uint64_t digit[WORDS_MOST + 1];
    struct magnitude s;
    int k = d->words;
    digit[k] = carry_digits(d, words, n, digit, &s.negative);
    while (k > 0 && !digit[k])
        k--;
    int have = length(digit[k]);
    s.high = have ? digit[k] << (64 - have) : 0;
    s.top = d->base + k * d->bits + have;
    s.more = false;
    for (k--; k >= 0; k--) {
        const int beyond = have + d->bits - 64;
        s.high |= beyond <= 0 ? digit[k] << -beyond : digit[k] >> beyond;
        s.more |= beyond > 0 && digit[k] << (64 - beyond);
        have = beyond <= 0 ? have + d->bits : 64;
    }
    return s;
}

static bool all_zero(const int64_t *words, int64_t n)
{
    int64_t any = 0;
    for (int64_t i = 0; i < n; i++)
        any |= words[i];
    return any == 0;
}

/* Most digits of a full range are zeros. */
static void get_many(const struct digits *all, const int64_t *words, int64_t n, void *numbers)
{
    struct digits used = *all, *const d = &used;
    while (d->words > 1 && all_zero(words + (d->words - 1) * n, n))
        d->words--;
    for (; d->words > 1 && all_zero(words, n); words += n, d->words--)
        d->base += d->bits;
    for (int64_t i = 0; i < n; i++) {
        const struct magnitude s = magnitude_of(d, words + i, n);
        set_bits(d->type, numbers, i, rounded(d->type, &s));
    }
}

static inline bool marked(const int64_t *words, int64_t n, int marks, int which)
{
    const int in_word = MARKS / marks, bits = mark_bits(marks);
    return words[which / in_word * n] >> bits * (which % in_word) & ((INT64_C(1) << bits) - 1);
}

static uint64_t with_marks(enum real type, const int64_t *words, int64_t n, int marks, uint64_t finite)
{
    const bool plus = marked(words, n, marks, PLUS_INFINITY), minus = marked(words, n, marks, MINUS_INFINITY);
    if ((plus && minus) || marked(words, n, marks, NOT_A_NUMBER))
        return real_infinity(type) | UINT64_C(1) << (real_fraction(type) - 1);
    if (plus || minus)
        return real_infinity(type) | (minus ? real_sign(type) : 0);
    return finite | (marked(words, n, marks, NOT_MINUS_ZERO) ? 0 : real_sign(type));
}

void digits_get(const struct digits *d, const int64_t *words, int64_t n, void *numbers)
{
    struct program_state program;
    if (d->floating) {
        arithmetic_begin(&program);
        digit_kernels(d->type)->get(d, words, n, numbers);
        arithmetic_end(&program);
    } else
        get_many(d, words, n, numbers);
    for (int64_t i = 0; d->marks && i < n; i++)
        set_bits(d->type, numbers, i,
                 with_marks(d->type, words + d->words * n + i, n, d->marks, bits_at(d->type, numbers, i)));
}
