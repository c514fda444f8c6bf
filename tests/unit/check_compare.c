/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing two results: which differences count, where the first one is, and how a value is printed. */
#include "results.h"
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

static const struct pattern ints = {1, false, {{NUMBER_SIGNED, 4}}};
static const struct pattern floats = {1, false, {{NUMBER_FLOAT, 4}}};
static const struct pattern doubles = {1, false, {{NUMBER_FLOAT, 8}}};
static const struct pattern extended = {1, false, {{NUMBER_FLOAT, sizeof(long double)}}};
static const struct pattern complexes = {2, true, {{NUMBER_FLOAT, 8}, {NUMBER_FLOAT, 8}}};
static const struct pattern pairs = {2, false, {{NUMBER_FLOAT, 8}, {NUMBER_SIGNED, 4}}};
static const struct pattern opaque = {1, false, {{NUMBER_OPAQUE, 1}}};

static const struct tolerance bits = {ALIKE_BITS, 0}, values = {ALIKE_VALUES, 0}, relative = {ALIKE_RELATIVE, 8},
                              sum = {ALIKE_SUM, 4};

/* Are two numbers the same within the tolerance? */
static bool same(struct tolerance t, double a, double b, double scale)
{
    return first_difference(&doubles, t, &a, &b, &scale, sizeof a) < 0;
}

/* Whichever byte of whichever number is changed, the comparison finds that number and no other. */
START_TEST(finds_every_byte)
{
    static const struct pattern *const all[] = {&ints, &floats, &doubles, &complexes, &pairs, &opaque};
    for (size_t k = 0; k < COUNT(all); k++) {
        const struct pattern *p = all[k];
        char a[240], b[sizeof a];
        int64_t size = (int64_t)sizeof a / pattern_bytes(p) * pattern_bytes(p), first = p->component[0].size;
        for (int64_t i = 0; i < (int64_t)sizeof a; i++)
            a[i] = b[i] = (char)(i * 37);
        ck_assert_int_eq(first_difference(p, bits, a, b, NULL, size), -1);
        for (int64_t i = size - 1; i >= 0; i--) { /* a later difference must not hide an earlier one */
            b[i] ^= 1;
            int64_t inside = i % pattern_bytes(p), part = inside < first ? i - inside % first : i - inside + first;
            ck_assert_int_eq(first_difference(p, bits, a, b, NULL, size), part);
        }
        ck_assert_int_eq(first_difference(p, bits, a, b, NULL, 0), -1);
    }
}

START_TEST(values_of_zero_and_nan)
{
    double other = -NAN;
    ck_assert(!same(bits, 0.0, -0.0, 0) && same(values, 0.0, -0.0, 0));
    ck_assert(same(values, NAN, other, 0) && same(relative, NAN, other, 0) && same(sum, NAN, other, NAN));
    ck_assert(!same(values, 1, nextafter(1, 2), 0));
    ck_assert(!same(values, NAN, 1, 0) && !same(relative, NAN, 1, 0) && !same(sum, NAN, 1, 1) && !same(sum, 1, 2, NAN));
    ck_assert(same(relative, INFINITY, INFINITY, 0) && !same(relative, INFINITY, DBL_MAX, 0));
    ck_assert(!same(relative, INFINITY, -INFINITY, 0) && !same(sum, INFINITY, 1, 1));
    ck_assert(same(sum, INFINITY, 1, INFINITY) && same(sum, NAN, 1, INFINITY)); /* a partial sum may have overflowed */
}

START_TEST(rounding)
{
    /* The tolerance is 8 eps of the larger number, and a little more. */
    ck_assert(same(relative, 1, 1 - 8 * DBL_EPSILON, 0) && same(relative, 1 - 8 * DBL_EPSILON, 1, 0));
    ck_assert(same(relative, -1, -1 + 8 * DBL_EPSILON, 0));
    ck_assert(!same(relative, 1, 1 - 9 * DBL_EPSILON, 0) && !same(relative, 1, -1, 0));
    ck_assert(same(relative, 1e-300, 1e-300 * (1 + 7 * DBL_EPSILON), 0) && !same(relative, 1e-300, 2e-300, 0));
    ck_assert(!same(relative, 0, DBL_MIN, 0));
    /*
     * A sum whose operands cancel may differ in all digits, but not by more than 4 eps of the sum of their absolute
     * values.
     */
    ck_assert(same(sum, 0, 4 * DBL_EPSILON, 1) && same(sum, -2 * DBL_EPSILON, 2 * DBL_EPSILON, 1));
    ck_assert(!same(sum, 0, 5 * DBL_EPSILON, 1) && !same(sum, 1, 1 + 5 * DBL_EPSILON, 1) && !same(sum, 0, 1e-300, 0));
    /* Each type has its own epsilon. */
    float f = 1, g = 1 - 8 * FLT_EPSILON, h = 1 - 9 * FLT_EPSILON;
    ck_assert_int_eq(first_difference(&floats, relative, &f, &g, NULL, sizeof f), -1);
    ck_assert_int_eq(first_difference(&floats, relative, &f, &h, NULL, sizeof f), 0);
    long double l = 1, m = 1 - 8 * LDBL_EPSILON, n = 1 - 9 * LDBL_EPSILON;
    ck_assert_int_eq(first_difference(&extended, relative, &l, &m, NULL, sizeof l), -1);
    ck_assert_int_eq(first_difference(&extended, relative, &l, &n, NULL, sizeof l), 0);
}

/* A complex number is compared as a whole, the components of a pair separately. Each number has its own scale. */
START_TEST(components)
{
    double a[] = {1, 1e-30, 1, 1e-30}, b[] = {1, 2e-30, 1, 1e-10}, scale[] = {1, 1, 1, 1};
    ck_assert_int_eq(first_difference(&complexes, relative, a, b, NULL, sizeof a), 3 * sizeof a[0]);
    ck_assert_int_eq(first_difference(&doubles, relative, a, b, NULL, sizeof a), 1 * sizeof a[0]);
    ck_assert_int_eq(first_difference(&complexes, sum, a, b, scale, sizeof a), 3 * sizeof a[0]);
    scale[1] = 1e-30;
    ck_assert_int_eq(first_difference(&complexes, sum, a, b, scale, sizeof a), 1 * sizeof a[0]);

    double near_zero[] = {1, 1e-30, 1e-30, 1}, also[] = {1, 2e-30, 2e-30, 1};
    ck_assert_int_eq(first_difference(&complexes, relative, near_zero, also, NULL, sizeof also), -1);

    /* An integer is compared bit for bit, even if a float with its bits would count as the same. */
    ck_assert_int_eq(first_difference(&ints, relative, &(int){0x3f800000}, &(int){0x3f800001}, NULL, sizeof(int)), 0);

    char c[12], d[12];
    double value = 1, near = 1 + DBL_EPSILON;
    memcpy(c, &value, 8), memcpy(c + 8, &(int32_t){5}, 4);
    memcpy(d, &near, 8), memcpy(d + 8, &(int32_t){5}, 4);
    ck_assert_int_eq(first_difference(&pairs, relative, c, d, NULL, 12), -1);
    ck_assert_int_eq(first_difference(&pairs, values, c, d, NULL, 12), 0);
    d[8]++;
    ck_assert_int_eq(first_difference(&pairs, relative, c, d, NULL, 12), 8);
}

/* A long double has bytes that no arithmetic defines. These do not count. */
START_TEST(undefined_bytes)
{
    if (LDBL_MANT_DIG != 64) {
        not_tested("bytes of a long double that no arithmetic defines, as it has none here");
        return;
    }
    char a[2 * sizeof(long double)], b[sizeof a];
    memset(a, 0x11, sizeof a);
    memset(b, 0x22, sizeof b);
    for (int i = 0; i < 2; i++) {
        long double x = 3 + i;
        memcpy(a + i * sizeof x, &x, 10);
        memcpy(b + i * sizeof x, &x, 10);
    }
    ck_assert_int_eq(first_difference(&extended, bits, a, b, NULL, sizeof a), -1);
    b[sizeof(long double) + 9] ^= 1;
    ck_assert_int_eq(first_difference(&extended, bits, a, b, NULL, sizeof a), sizeof(long double));
}

START_TEST(magnitudes)
{
    double x[] = {-1, 2, -0.0, -INFINITY};
    float f[] = {-3, 4};
    long double l[] = {-5, 6};
    make_magnitudes(&complexes, x, sizeof x);
    make_magnitudes(&floats, f, sizeof f);
    make_magnitudes(&extended, l, sizeof l);
    ck_assert(x[0] == 1 && x[1] == 2 && !signbit(x[2]) && x[3] == INFINITY);
    ck_assert(f[0] == 3 && f[1] == 4 && l[0] == 5 && l[1] == 6);
}

START_TEST(texts)
{
    const int8_t minus = -5;
    const int16_t low = INT16_MIN;
    const int64_t lowest = INT64_MIN, all = -1;
    const float f = 0.1f;
    const double d = 0.1;
    const struct {
        struct component component;
        const void *value;
        const char *text;
    } table[] = {
        {{NUMBER_SIGNED, 1}, &minus, "-5"},
        {{NUMBER_UNSIGNED, 1}, &minus, "251"},
        {{NUMBER_SIGNED, 2}, &low, "-32768"},
        {{NUMBER_SIGNED, 4}, &all, "-1"},
        {{NUMBER_UNSIGNED, 4}, &all, "4294967295"},
        {{NUMBER_SIGNED, 8}, &lowest, "-9223372036854775808"},
        {{NUMBER_UNSIGNED, 8}, &all, "18446744073709551615"},
        {{NUMBER_FLOAT, 4}, &f, "0.100000001"},
        {{NUMBER_FLOAT, 8}, &d, "0.10000000000000001"},
        {{NUMBER_OPAQUE, 1}, &minus, "0xfb"},
    };
    char text[64];
    for (size_t i = 0; i < COUNT(table); i++)
        ck_assert_str_eq(component_text(&table[i].component, table[i].value, text, sizeof text), table[i].text);
}

SUITE("compare", 4)
