/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums by digits are the exact sums, rounded once, for any numbers on up to 2^30 ranks. The oracle has a counter for each
 * bit of a number, and shares no code with digits.c.
 */
#include "digits.h"
#include "suite.h"

#include <fenv.h>
#include <math.h>

/* ---- The oracle ------------------------------------------------------------------------------------------------------ */

enum { POSITIONS = 2200, LOWEST_DOUBLE = -1074, LOWEST_FLOAT = -149 };

struct exact {
    int64_t bit[POSITIONS]; /* bit i is worth 2^(i + LOWEST_DOUBLE) */
    bool plus, minus, nan, only_minus_zero;
};

static void start(struct exact *e)
{
    *e = (struct exact){.only_minus_zero = true};
}

/* Adds `times` times x. */
static void add(struct exact *e, double x, int64_t times)
{
    e->only_minus_zero &= x == 0 && signbit(x);
    e->nan |= isnan(x) != 0;
    e->plus |= isinf(x) && x > 0;
    e->minus |= isinf(x) && x < 0;
    if (!isfinite(x) || x == 0)
        return;
    int exponent;
    double rest = frexp(fabs(x), &exponent);
    for (int at = exponent - 1 - LOWEST_DOUBLE; rest > 0; at--) {
        rest *= 2;
        if (rest >= 1) {
            e->bit[at] += x < 0 ? -times : times;
            rest -= 1;
        }
    }
}

/* Carries, so that every counter is 0 or 1. Returns what is carried out. */
static int64_t carry_all(struct exact *e)
{
    int64_t carry = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const int64_t x = e->bit[i] + carry;
        e->bit[i] = x & 1;
        carry = (x - e->bit[i]) / 2;
    }
    return carry;
}

/* Makes every counter 0 or 1. Returns true if the sum is negative: then the bits are those of its magnitude. */
static bool settle(struct exact *e)
{
    struct exact minus = *e;
    for (int i = 0; i < POSITIONS; i++)
        minus.bit[i] = -minus.bit[i];
    if (carry_all(e) >= 0)
        return false;
    carry_all(&minus);
    *e = minus;
    return true;
}

/* The sum in a type whose numbers have so many bits, the lowest of which is 2^lowest. */
static double value(struct exact *e, int bits, int lowest)
{
    if (e->nan || (e->plus && e->minus))
        return NAN;
    if (e->plus || e->minus)
        return e->plus ? INFINITY : -INFINITY;
    if (e->only_minus_zero)
        return -0.0;
    const bool negative = settle(e);
    int top = POSITIONS - 1;
    while (top >= 0 && !e->bit[top])
        top--;
    const int least = lowest - LOWEST_DOUBLE, unit = top - bits + 1 > least ? top - bits + 1 : least;
    double x = 0;
    for (int i = top; i >= unit; i--)
        x = 2 * x + (double)e->bit[i];
    bool half = unit > 0 && e->bit[unit - 1], more = false;
    for (int i = 0; i < unit - 1; i++)
        more |= e->bit[i];
    if (half && (more || fmod(x, 2) != 0))
        x++;
    x = ldexp(x, unit + LOWEST_DOUBLE);
    if (bits == 24 && x > 0x1.fffffep127)
        x = INFINITY;
    return negative ? -x : x;
}

/* ---- Numbers --------------------------------------------------------------------------------------------------------- */

static uint64_t random_bits(int n)
{
    static uint64_t state = 7;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = state ^ state >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 32) >> (64 - n);
}

static int random_below(int n)
{
    return (int)(random_bits(31) % (uint64_t)n);
}

static const struct {
    int fraction, exponent, lowest, size;
} types[REALS] = {
    [REAL_FLOAT] = {23, 8, LOWEST_FLOAT, sizeof(float)}, [REAL_DOUBLE] = {52, 11, LOWEST_DOUBLE, sizeof(double)}};

static double from_bits(enum real type, uint64_t bits)
{
    const uint32_t narrow = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &narrow, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return type == REAL_FLOAT ? (double)f : d;
}

/* A number of one of these kinds: any, subnormal, near the largest, near 1, zero, near whole; if `wild`, not finite. */
static double number(enum real type, bool wild)
{
    const int m = types[type].fraction, e = types[type].exponent;
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

static void store(enum real type, void *to, int i, double x)
{
    const float f = (float)x;
    if (type == REAL_FLOAT)
        memcpy((char *)to + (size_t)i * sizeof f, &f, sizeof f);
    else
        memcpy((char *)to + (size_t)i * sizeof x, &x, sizeof x);
}

static double load(enum real type, const void *from, int i)
{
    float f;
    double d;
    if (type == REAL_FLOAT)
        return memcpy(&f, (const char *)from + (size_t)i * sizeof f, sizeof f), f;
    return memcpy(&d, (const char *)from + (size_t)i * sizeof d, sizeof d), d;
}

/* Same bits, but that a NaN must be the positive quiet one without payload. */
static bool same(double got, double want)
{
    const double nan = from_bits(REAL_DOUBLE, UINT64_C(0x7ff8) << 48);
    return memcmp(&got, isnan(want) ? &nan : &want, sizeof got) == 0;
}

/* ---- Sums ------------------------------------------------------------------------------------------------------------ */

enum { RANKS = 33, NUMBERS = 5, WORDS = 70 * NUMBERS };

/* A reduction, or the prefixes of a scan, of a few numbers. Further ranks, up to `claimed`, contribute nothing. */
struct job {
    enum real type;
    int ranks, claimed;
    double x[RANKS][NUMBERS];
};

static void check_digits(const struct job *j, const struct digits *d, const char *which)
{
    char memory[NUMBERS * sizeof(double) + 1], *const odd = memory + 1;
    int64_t words[WORDS], sum[WORDS] = {0};
    struct exact *e = malloc(NUMBERS * sizeof *e);
    ck_assert_ptr_nonnull(e);
    ck_assert(digits_size(d) * NUMBERS <= WORDS);
    for (int i = 0; i < NUMBERS; i++)
        start(&e[i]);
    for (int r = 0; r < j->ranks; r++) {
        for (int i = 0; i < NUMBERS; i++) {
            store(j->type, odd, i, j->x[r][i]);
            add(&e[i], j->x[r][i], 1);
        }
        digits_put(d, odd, NUMBERS, words);
        for (int k = 0; k < digits_size(d) * NUMBERS; k++) {
            REQUIRE(k >= d->words * NUMBERS || llabs(words[k]) < BIT(d->bits), "digit %d is too large", k);
            sum[k] += words[k];
        }
        digits_get(d, sum, NUMBERS, odd);
        for (int i = 0; i < NUMBERS; i++) {
            struct exact copy = e[i];
            const double got = load(j->type, odd, i),
                         want = value(&copy, types[j->type].fraction + 1, types[j->type].lowest);
            REQUIRE(same(got, want), "%s, prefix %d of number %d, %d ranks: %a, not %a", which, r, i, j->claimed, got, want);
        }
    }
    free(e);
}

/* The range of all ranks. A prefix is -0 only if the number of rank 0 is. */
static struct bit_range range_of(const struct job *j)
{
    char memory[NUMBERS * sizeof(double)];
    struct bit_range all = {0, INT32_MIN, 0};
    for (int r = 0; r < j->ranks; r++) {
        for (int i = 0; i < NUMBERS; i++)
            store(j->type, memory, i, j->x[r][i]);
        struct bit_range own = digits_range(j->type, memory, NUMBERS);
        own.marks = own.marks == 1 && r > 0 ? 0 : own.marks;
        all.high = own.high > all.high ? own.high : all.high;
        all.low = own.low > all.low ? own.low : all.low;
        all.marks = own.marks > all.marks ? own.marks : all.marks;
    }
    return all;
}

static void check_job(const struct job *j)
{
    const struct bit_range all = range_of(j);
    const struct digits full = digits_full(j->type, j->claimed), window = digits_window(j->type, j->claimed, &all);
    check_digits(j, &full, "full range");
    check_digits(j, &window, "window");
}

static const int claims[] = {0, 0, 1024, 32767, 32768, 1 << 20, 1 << 30};

START_TEST(exact_of_any_numbers)
{
    static const int ranks[] = {1, 2, 3, 4, 5, 7, 8, 16, RANKS};
    for (int trial = 0; trial < whole_or(20000, 1500); trial++) {
        struct job j = {.type = random_bits(1) ? REAL_DOUBLE : REAL_FLOAT, .ranks = ranks[random_below(COUNT(ranks))]};
        const int claimed = claims[random_below(COUNT(claims))];
        const bool wild = random_below(8) == 0;
        j.claimed = claimed > j.ranks ? claimed : j.ranks;
        for (int i = 0; i < NUMBERS; i++) {
            const double c = number(j.type, wild);
            const int kind = random_below(4);
            for (int r = 0; r < j.ranks; r++) {
                const double x = number(j.type, wild);
                j.x[r][i] = kind == 0 ? (random_bits(1) ? c : -c) : kind == 1 && random_bits(1) ? -c : kind == 2 ? -0.0 : x;
            }
        }
        check_job(&j);
    }
}

/* Numbers of like size, as most programs have them, and whole numbers. */
START_TEST(few_digits_suffice)
{
    struct job j = {.type = REAL_DOUBLE, .ranks = RANKS, .claimed = 1024};
    for (int whole = 0; whole < 2; whole++) {
        for (int r = 0; r < RANKS; r++)
            for (int i = 0; i < NUMBERS; i++)
                j.x[r][i] = whole ? random_below(1 << 20) : ldexp((double)random_bits(53), random_below(20) - 60);
        const struct bit_range all = range_of(&j);
        const struct digits d = digits_window(j.type, j.claimed, &all);
        ck_assert_int_eq(digits_size(&d), whole ? 1 : 2);
        check_job(&j);
    }
}

/* Each half rounds to even; the sum of the third numbers of rank 2 and rank 1 is just above or below a half. */
START_TEST(ties_round_to_even)
{
    const double tiny = from_bits(REAL_DOUBLE, 1);
    struct job j = {.type = REAL_DOUBLE, .ranks = 3, .claimed = 3};
    const double x[3][NUMBERS] = {{1, 1 + 0x1p-52, 1, 1, 0x1.fffffffffffffp1023},
                                  {0x1p-53, 0x1p-53, 0x1p-53, 0x1p-53, 0x1p969},
                                  {0, 0, tiny, -tiny, 0x1p969}};
    memcpy(j.x, x, sizeof x);
    check_job(&j);
    for (int r = 0; r < j.ranks; r++)
        for (int i = 0; i < NUMBERS; i++)
            j.x[r][i] = -j.x[r][i];
    check_job(&j);
}

/* 2^30 contributions in all, a of x and the others of y: no word overflows, and no carry is lost. */
START_TEST(full_words)
{
    for (int trial = 0; trial < 2000; trial++) {
        const enum real type = random_bits(1) ? REAL_DOUBLE : REAL_FLOAT;
        const double x = number(type, false), y = trial % 3 == 0 ? x : trial % 3 == 1 ? -x : number(type, false);
        const int64_t a = trial % 5 == 0 ? BIT(29) : 1 + (int64_t)random_bits(29), times[2] = {a, BIT(30) - a};
        const double z[2] = {x, y};
        char memory[2 * sizeof(double)];
        int64_t words[2 * WORDS], sum[WORDS] = {0};
        struct exact e;
        start(&e);
        for (int i = 0; i < 2; i++) {
            store(type, memory, i, z[i]);
            add(&e, z[i], times[i]);
        }
        const struct bit_range all = digits_range(type, memory, 2);
        for (int window = 0; window < 2; window++) {
            const struct digits d = window ? digits_window(type, BIT(30), &all) : digits_full(type, BIT(30));
            char result[sizeof(double)];
            digits_put(&d, memory, 2, words);
            for (int k = 0; k < digits_size(&d); k++) {
                int64_t part[2];
                ck_assert(!__builtin_mul_overflow(words[2 * k], times[0], &part[0]));
                ck_assert(!__builtin_mul_overflow(words[2 * k + 1], times[1], &part[1]));
                ck_assert(!__builtin_add_overflow(part[0], part[1], &sum[k]));
            }
            digits_get(&d, sum, 1, result);
            struct exact copy = e;
            const double got = load(type, result, 0), want = value(&copy, types[type].fraction + 1, types[type].lowest);
            REQUIRE(same(got, want), "%ld times %a and %a: %a, not %a", (long)a, x, y, got, want);
        }
    }
}

START_TEST(rounding_modes_do_not_count)
{
    struct job j = {.type = REAL_FLOAT, .ranks = 3, .claimed = 3};
    char memory[NUMBERS * sizeof(float)], result[2][NUMBERS * sizeof(float)];
    int64_t words[WORDS], sum[WORDS];
    const struct digits d = digits_full(j.type, j.ranks);
    for (int way = 0; way < 2; way++) {
        fesetround(way ? FE_UPWARD : FE_TONEAREST);
        memset(sum, 0, sizeof sum);
        for (int r = 0; r < j.ranks; r++) {
            for (int i = 0; i < NUMBERS; i++)
                store(j.type, memory, i, ldexp(1, -24 * r * (i + 1)));
            digits_put(&d, memory, NUMBERS, words);
            for (int k = 0; k < digits_size(&d) * NUMBERS; k++)
                sum[k] += words[k];
        }
        digits_get(&d, sum, NUMBERS, result[way]);
        fesetround(FE_TONEAREST);
    }
    ck_assert(memcmp(result[0], result[1], sizeof result[0]) == 0);
}

SUITE("digits", 60)
