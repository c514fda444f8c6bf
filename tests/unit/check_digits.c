/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums by digits are the exact sums, rounded once, for any numbers on up to 2^30 ranks. exact_oracle.h has the oracle.
 */
#include "digits.h"
#include "exact_oracle.h"
#include "suite.h"

#include <fenv.h>

_Static_assert((int)REAL_FLOAT == FLOATS && (int)REAL_DOUBLE == DOUBLES, "the types of numbers have one order");

/* ---- Sums ------------------------------------------------------------------------------------------------------------ */

enum { RANKS = 33, NUMBERS = 15, WORDS = 70 * NUMBERS };

/* A reduction, or the prefixes of a scan, of a few numbers. Further ranks, up to `claimed`, contribute nothing. */
struct job {
    int type; /* DOUBLES or FLOATS */
    int ranks, claimed;
    double x[RANKS][NUMBERS];
};

static void check_digits(const struct job *j, const struct digits *d, const char *which)
{
    char memory[NUMBERS * sizeof(double) + 1], *const odd = memory + 1;
    int64_t words[WORDS], sum[WORDS] = {0};
    struct exact_oracle *e = malloc(NUMBERS * sizeof *e);
    ck_assert_ptr_nonnull(e);
    ck_assert(digits_size(d) * NUMBERS <= WORDS);
    for (int i = 0; i < NUMBERS; i++)
        oracle_start(&e[i]);
    for (int r = 0; r < j->ranks; r++) {
        for (int i = 0; i < NUMBERS; i++) {
            store(j->type, odd, i, j->x[r][i]);
            oracle_add(&e[i], j->x[r][i], 1);
        }
        digits_put(d, odd, NUMBERS, words);
        for (int k = 0; k < digits_size(d) * NUMBERS; k++) {
            REQUIRE(k >= d->words * NUMBERS || llabs(words[k]) < BIT(d->bits) + d->floating, "digit %d is too large", k);
            sum[k] += words[k];
            REQUIRE(!d->floating || llabs(sum[k]) <= BIT(51), "the sum of digits %d is no double", k);
        }
        digits_get(d, sum, NUMBERS, odd);
        for (int i = 0; i < NUMBERS; i++) {
            struct exact_oracle copy = e[i];
            const double got = load(j->type, odd, i), want = oracle_sum(&copy, (int)j->type);
            REQUIRE(same_bits(got, want), "%s, prefix %d of number %d, %d ranks: %a, not %a", which, r, i, j->claimed, got,
                    want);
        }
    }
    free(e);
}

/* The range of all ranks. A prefix is -0 only if the number of rank 0 is. */
static struct bit_range range_of(const struct job *j)
{
    char memory[NUMBERS * sizeof(double)];
    struct bit_range all = {0, 0, 0};
    for (int r = 0; r < j->ranks; r++) {
        for (int i = 0; i < NUMBERS; i++)
            store(j->type, memory, i, j->x[r][i]);
        struct bit_range own = digits_range(j->type, memory, NUMBERS);
        own.marks = own.marks == 1 && r > 0 ? 0 : own.marks;
        all.high = own.high > all.high ? own.high : all.high;
        all.depth = own.depth > all.depth ? own.depth : all.depth;
        all.marks = own.marks > all.marks ? own.marks : all.marks;
    }
    return all;
}

static int guesses, kept, missed; /* guesses from a job itself; those from an earlier one that hold, and that do not */

/* The numbers of all ranks? */
static bool holds(const struct job *j, const struct digits *guess)
{
    char memory[NUMBERS * sizeof(double) + 1], *const odd = memory + 1;
    int64_t words[WORDS];
    bool held = true;
    for (int r = 0; r < j->ranks; r++) {
        bool minus_zero, any = false;
        for (int i = 0; i < NUMBERS; i++) {
            store(j->type, odd, i, j->x[r][i]);
            any |= j->x[r][i] == 0 && signbit(j->x[r][i]);
        }
        held &= digits_try(guess, odd, NUMBERS, words, &minus_zero);
        ck_assert_int_eq(minus_zero, any);
    }
    return held;
}

/* A guess holds the numbers from which it was made. Whatever numbers it holds, it sums. */
static void check_guesses(const struct job *j, const struct bit_range *all)
{
    static struct {
        struct digits guess;
        int claimed;
    } earlier[REALS];
    const struct digits guess = digits_guess(j->type, j->claimed, all), *before = &earlier[j->type].guess;
    if (before->words > 0 && j->claimed <= earlier[j->type].claimed && all->marks > 0) {
        const bool held = holds(j, before);
        if (held)
            check_digits(j, before, "an earlier guess");
        kept += held;
        missed += !held;
    }
    if (guess.words > 0) {
        ck_assert(holds(j, &guess));
        check_digits(j, &guess, "guess");
        guesses++;
        earlier[j->type].guess = guess;
        earlier[j->type].claimed = j->claimed;
    }
}

static void check_job(const struct job *j)
{
    const struct bit_range all = range_of(j);
    const struct digits full = digits_full(j->type, j->claimed), window = digits_window(j->type, j->claimed, &all);
    check_digits(j, &full, "full range");
    check_digits(j, &window, "window");
    check_guesses(j, &all);
}

static const int claims[] = {0, 0, 1024, 32767, 32768, 1 << 20, 1 << 30};

START_TEST(exact_of_any_numbers)
{
    static const int ranks[] = {1, 2, 3, 4, 5, 7, 8, 16, RANKS};
    for (int trial = 0; trial < whole_or(20000, 500); trial++) {
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

/* All numbers of a block have bits at the same few positions, anywhere; their sums are near halves. */
START_TEST(digits_can_be_doubles)
{
    int floating[2][3] = {{0}};
    for (int trial = 0; trial < whole_or(20000, 1000); trial++) {
        struct job j = {.type = random_bits(1) ? DOUBLES : FLOATS, .ranks = 1 + random_below(RANKS)};
        const bool wide = j.type == DOUBLES;
        const int claimed = claims[random_below(COUNT(claims))], kind = random_below(4), least = wide ? -1074 : -149;
        const int mantissa = kind == 0 ? 1 : kind == 1 ? 12 : wide ? 53 : 24, edge = random_below(3);
        const int spread = random_below(2) * random_below(wide ? 50 : 28), most = (wide ? 1024 : 128) - mantissa - spread;
        const int unit = edge == 0   ? least + random_below(70)
                         : edge == 1 ? most - random_below(2) * random_below(40)
                                     : least + random_below(most - least);
        j.claimed = claimed > j.ranks ? claimed : j.ranks;
        for (int i = 0; i < NUMBERS; i++)
            for (int r = 0; r < j.ranks; r++) {
                const uint64_t bits = random_below(4) ? random_bits(mantissa) : (uint64_t)BIT(mantissa) - 1 - random_bits(1);
                const double x = ldexp((double)(random_below(9) ? bits : random_bits(1)), unit + random_below(spread + 1));
                j.x[r][i] = random_bits(1) ? 0 - x : x; /* no -0 */
            }
        const struct bit_range all = range_of(&j);
        const struct digits d = digits_window(j.type, j.claimed, &all);
        floating[j.type][d.floating ? d.words : 0]++;
        check_job(&j);
    }
    ck_assert(floating[DOUBLES][0] && floating[DOUBLES][1] && floating[DOUBLES][2]);
    ck_assert(floating[FLOATS][0] && floating[FLOATS][1]);
    ck_assert(guesses > 0 && kept > 0 && missed > 0);
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
    const struct job above = {.type = REAL_FLOAT, .ranks = 3, .claimed = 3, .x = {{1}, {0x1p-24}, {0x1p-60}}};
    check_job(&above);
}

/* 2^30 contributions in all, a of x and the others of y: no word overflows, and no carry is lost. */
START_TEST(full_words)
{
    for (int trial = 0; trial < 2000; trial++) {
        const int type = random_bits(1) ? DOUBLES : FLOATS;
        const double x = number(type, false), y = trial % 3 == 0 ? x : trial % 3 == 1 ? -x : number(type, false);
        const int64_t a = trial % 5 == 0 ? BIT(29) : 1 + (int64_t)random_bits(29), times[2] = {a, BIT(30) - a};
        const double z[2] = {x, y};
        char memory[2 * sizeof(double)];
        int64_t words[2 * WORDS], sum[WORDS] = {0};
        struct exact_oracle e;
        oracle_start(&e);
        for (int i = 0; i < 2; i++) {
            store(type, memory, i, z[i]);
            oracle_add(&e, z[i], times[i]);
        }
        const struct bit_range all = digits_range((enum real)type, memory, 2);
        for (int window = 0; window < 2; window++) {
            const struct digits d =
                window ? digits_window((enum real)type, BIT(30), &all) : digits_full((enum real)type, BIT(30));
            char result[sizeof(double)];
            digits_put(&d, memory, 2, words);
            for (int k = 0; k < digits_size(&d); k++) {
                int64_t part[2];
                ck_assert(!__builtin_mul_overflow(words[2 * k], times[0], &part[0]));
                ck_assert(!__builtin_mul_overflow(words[2 * k + 1], times[1], &part[1]));
                ck_assert(!__builtin_add_overflow(part[0], part[1], &sum[k]));
            }
            digits_get(&d, sum, 1, result);
            struct exact_oracle copy = e;
            const double got = load(type, result, 0), want = oracle_sum(&copy, type);
            REQUIRE(same_bits(got, want), "%ld times %a and %a: %a, not %a", (long)a, x, y, got, want);
        }
    }
}

/* Nor do traps. Windows compute with doubles, in an environment of their own. */
START_TEST(rounding_modes_do_not_count)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int type = 0; type < 2; type++) {
        struct job j = {.type = type ? REAL_FLOAT : REAL_DOUBLE, .ranks = 3, .claimed = 3};
        for (int r = 0; r < j.ranks; r++)
            for (int i = 0; i < NUMBERS; i++)
                j.x[r][i] = ldexp(r == i % 3 ? -1 : 1, (type ? -12 : -30) * r - i);
        const struct bit_range all = range_of(&j);
        const struct digits d = digits_window(j.type, j.claimed, &all);
        ck_assert(d.floating);
        for (size_t k = 0; k < COUNT(modes); k++) {
            fesetround(modes[k]);
            check_job(&j);
            ck_assert_int_eq(fegetround(), modes[k]);
        }
        fesetround(FE_TONEAREST);
    }
}

SUITE("digits", 60)
