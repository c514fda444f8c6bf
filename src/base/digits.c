/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums; see digits.h and doc/exact-sums. */
#include "digits.h"

#include <assert.h>
#include <string.h>

/* The words of any number on any number of ranks. */
enum { WORDS_MOST = 66 };

/* A type of numbers. */
struct real_format {
    int fraction;      /* bits behind the point; one more is the length of a mantissa */
    uint64_t sign;     /* the bit of the sign */
    uint64_t infinity; /* the bits of infinity */
    int positions;     /* of bits of finite numbers */
};
static const struct real_format formats[REALS] = {
    [REAL_FLOAT] = {23, UINT64_C(1) << 31, UINT64_C(0xff) << 23, 277},
    [REAL_DOUBLE] = {52, UINT64_C(1) << 63, UINT64_C(0x7ff) << 52, 2098},
};

/* ---- Numbers --------------------------------------------------------------------------------------------------------- */

/* A finite number is mantissa * 2^shift, in units of its lowest position. The mantissa of what is not finite is 0. */
struct parts {
    uint64_t mantissa;
    int shift;
    bool negative;
};

static inline struct parts parts_of(const struct real_format *f, uint64_t bits)
{
    const uint64_t magnitude = bits & ~f->sign, exponent = magnitude >> f->fraction, one = UINT64_C(1) << f->fraction;
    const uint64_t mantissa = (magnitude & (one - 1)) | (exponent ? one : 0);
    return (struct parts){magnitude < f->infinity ? mantissa : 0, (int)exponent - (exponent > 0), bits & f->sign};
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

/* The lowest bit of all mantissas bounds that of each: one loop without a search in each number finds both. */
struct bit_range digits_range(enum real type, const void *numbers, int64_t n)
{
    const struct real_format *f = &formats[type];
    uint64_t any = 0;
    uint64_t high = 0, low = (uint64_t)f->positions;
    bool infinite = false, zero = false;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = bits_at(type, numbers, i);
        const struct parts x = parts_of(f, bits);
        const uint64_t shift = (uint64_t)x.shift, above = shift + (uint64_t)length(x.mantissa);
        any |= x.mantissa;
        high = x.mantissa && above > high ? above : high;
        low = x.mantissa && shift < low ? shift : low;
        infinite |= (bits & ~f->sign) >= f->infinity;
        zero |= bits == f->sign;
    }
    low += any ? (uint64_t)__builtin_ctzll(any) : 0;
    return (struct bit_range){high, (uint64_t)f->positions - low, infinite ? 2 : !zero};
}

/* ---- Layout ---------------------------------------------------------------------------------------------------------- */

static int digit_bits(int ranks)
{
    assert(ranks >= 1 && ranks <= DIGITS_RANKS);
    return 62 - length((uint64_t)ranks - 1);
}

/* The bits of a count of ranks in the marks, of which there are four. */
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
    return (struct digits){type, bits, 0, words_for(formats[type].positions, bits), marks_for(ranks)};
}

struct digits digits_window(enum real type, int ranks, const struct bit_range *all)
{
    const int bits = digit_bits(ranks), marks = all->marks == 1 ? 0 : marks_for(ranks);
    const int base = all->high ? formats[type].positions - (int)all->depth : 0;
    return (struct digits){type, bits, base, words_for((int)all->high - base, bits), marks};
}

/* ---- Numbers to words ------------------------------------------------------------------------------------------------ */

enum { PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER, NOT_MINUS_ZERO, MARKS };

/* Adds a mark to those of a number, which are `n` words apart. */
static inline void mark(int64_t *words, int64_t n, int marks, int which)
{
    const int in_word = MARKS / marks;
    words[which / in_word * n] += INT64_C(1) << mark_bits(marks) * (which % in_word);
}

static void put_marks(const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    const struct real_format *f = &formats[d->type];
    memset(words, 0, (size_t)(d->marks * n) * sizeof *words);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = bits_at(d->type, numbers, i), magnitude = bits & ~f->sign;
        if (magnitude >= f->infinity)
            mark(words + i, n, d->marks,
                 magnitude > f->infinity ? NOT_A_NUMBER
                 : bits & f->sign        ? MINUS_INFINITY
                                         : PLUS_INFINITY);
        if (bits != f->sign)
            mark(words + i, n, d->marks, NOT_MINUS_ZERO);
    }
}

/* The bits of `x` from the position -shift on, below 2^bits. */
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

/* Each number has few digits: computes all of them. */
static void put_dense(const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    for (int k = 0; k < d->words; k++)
        for (int64_t i = 0; i < n; i++) {
            const struct parts x = parts_of(&formats[d->type], bits_at(d->type, numbers, i));
            words[k * n + i] = with_sign(moved(x.mantissa, x.shift - d->base - k * d->bits, d->bits), x.negative);
        }
}

/* Most digits are 0: computes those that a mantissa touches. */
static void put_sparse(const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    memset(words, 0, (size_t)(d->words * n) * sizeof *words);
    for (int64_t i = 0; i < n; i++) {
        const struct parts x = parts_of(&formats[d->type], bits_at(d->type, numbers, i));
        const int from = x.shift - d->base, to = from + length(x.mantissa);
        for (int k = from > 0 ? from / d->bits : 0; x.mantissa && k * d->bits < to; k++)
            words[k * n + i] = with_sign(moved(x.mantissa, from - k * d->bits, d->bits), x.negative);
    }
}

void digits_put(const struct digits *d, const void *numbers, int64_t n, int64_t *words)
{
    enum { DENSE = 4 };
    if (d->words <= DENSE)
        put_dense(d, numbers, n, words);
    else
        put_sparse(d, numbers, n, words);
    if (d->marks)
        put_marks(d, numbers, n, words + d->words * n);
}

/* ---- Words to numbers ------------------------------------------------------------------------------------------------ */

/* The magnitude of a sum. */
struct rounding {
    uint64_t high; /* its upper bits, the uppermost one in bit 63; 0: the sum is 0 */
    bool more;     /* some bit below these is set */
    int top;       /* position above its uppermost bit */
    bool negative;
};

/* Carries from the lowest digit up, and makes all digits positive. Returns the digit above; sets *negative. */
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

static inline struct rounding sum_of(const struct digits *d, const int64_t *words, int64_t n)
{
    uint64_t digit[WORDS_MOST + 1];
    struct rounding s;
    int k = d->words;
    digit[k] = carry_digits(d, words, n, digit, &s.negative);
    while (k > 0 && !digit[k])
        k--;
    int have = length(digit[k]);
    s.high = have ? digit[k] << (64 - have) : 0;
    s.top = d->base + k * d->bits + have;
    s.more = false;
    for (k--; k >= 0; k--) {
        const int beyond = have + d->bits - 64; /* bits of the digit that find no room */
        s.high |= beyond <= 0 ? digit[k] << -beyond : digit[k] >> beyond;
        s.more |= beyond > 0 && digit[k] << (64 - beyond);
        have = beyond <= 0 ? have + d->bits : 64;
    }
    return s;
}

/* The bits of a sum, rounded. A number below 2^(fraction+1) is the integer that its bits are. */
static inline uint64_t rounded(const struct real_format *f, const struct rounding *s)
{
    const int length = f->fraction + 1, beyond = s->top - length;
    const uint64_t half = UINT64_C(1) << 63;
    uint64_t bits = 0;
    if (s->high && beyond <= 0)
        bits = s->high >> (64 - s->top);
    else if (s->high) {
        const uint64_t mantissa = s->high >> (64 - length), rest = s->high << length;
        const bool up = rest > half || (rest == half && (s->more || mantissa & 1));
        bits = ((uint64_t)beyond << f->fraction) + mantissa + up;
        bits = bits < f->infinity ? bits : f->infinity;
    }
    return bits | (s->negative ? f->sign : 0);
}

/* Does the sum of the marks count this one? */
static inline bool marked(const int64_t *words, int64_t n, int marks, int which)
{
    const int in_word = MARKS / marks, bits = mark_bits(marks);
    return words[which / in_word * n] >> bits * (which % in_word) & ((INT64_C(1) << bits) - 1);
}

/* The bits of a sum whose finite part has the bits `finite`. */
static uint64_t with_marks(const struct real_format *f, const int64_t *words, int64_t n, int marks, uint64_t finite)
{
    const bool plus = marked(words, n, marks, PLUS_INFINITY), minus = marked(words, n, marks, MINUS_INFINITY);
    if ((plus && minus) || marked(words, n, marks, NOT_A_NUMBER))
        return f->infinity | UINT64_C(1) << (f->fraction - 1);
    if (plus || minus)
        return f->infinity | (minus ? f->sign : 0);
    return finite | (marked(words, n, marks, NOT_MINUS_ZERO) ? 0 : f->sign);
}

void digits_get(const struct digits *d, const int64_t *words, int64_t n, void *numbers)
{
    const struct real_format *f = &formats[d->type];
    for (int64_t i = 0; i < n; i++) {
        const struct rounding s = sum_of(d, words + i, n);
        const uint64_t bits = rounded(f, &s);
        set_bits(d->type, numbers, i, d->marks ? with_marks(f, words + d->words * n + i, n, d->marks, bits) : bits);
    }
}
