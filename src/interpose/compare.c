/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing two results; see compare.h. */
#include "compare.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a long double with a mantissa of 64 bits, the bytes that arithmetic defines. */
enum { EXTENDED = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double) };

static int significant(const struct part *p)
{
    return p->kind == KIND_FLOAT && p->size == sizeof(long double) ? EXTENDED : p->size;
}

/* Numbers lie anywhere: a pair's second need not be aligned. */
static long double number(const struct part *p, const char *at)
{
    float f;
    double d;
    long double l = 0;
    switch (p->size) {
    case sizeof f:
        return memcpy(&f, at, sizeof f), f;
    case sizeof d:
        return memcpy(&d, at, sizeof d), d;
    default:
        return memcpy(&l, at, EXTENDED), l;
    }
}

static void put_number(const struct part *p, char *at, long double value)
{
    float f = (float)value;
    double d = (double)value;
    memcpy(at, p->size == sizeof f ? (void *)&f : p->size == sizeof d ? (void *)&d : (void *)&value, (size_t)significant(p));
}

static long double epsilon(const struct part *p)
{
    return p->size == sizeof(float) ? FLT_EPSILON : p->size == sizeof(double) ? (long double)DBL_EPSILON : LDBL_EPSILON;
}

int pattern_bytes(const struct pattern *p)
{
    return p->part[0].size + (p->parts > 1 ? p->part[1].size : 0);
}

/* The largest magnitude in the pattern at `at`, or 0; what is not finite measures nothing. */
static long double largest(const struct pattern *p, const char *at)
{
    long double most = 0;
    for (int i = 0; i < p->parts; at += p->part[i++].size) {
        long double x = fabsl(number(&p->part[i], at));
        if (isfinite(x) && x > most)
            most = x;
    }
    return most;
}

/* By how much a and b may differ at `at`, the part `i` of the pattern that begins at `first`. */
static long double slack(const struct pattern *p, int i, struct measure m, const char *a, const char *b, const char *scale,
                         int64_t first, int64_t at)
{
    const struct part *part = &p->part[i];
    const struct pattern alone = {1, false, {*part}};
    if (m.alike == ALIKE_SUM)
        return m.factor * epsilon(part) * number(part, scale + at);
    if (m.alike != ALIKE_RELATIVE)
        return 0;
    int64_t from = p->complex ? first : at;
    const struct pattern *whole = p->complex ? p : &alone;
    return m.factor * epsilon(part) * fmaxl(largest(whole, a + from), largest(whole, b + from));
}

static bool alike(const struct pattern *p, int i, struct measure m, const char *a, const char *b, const char *scale,
                  int64_t first, int64_t at)
{
    const struct part *part = &p->part[i];
    if (memcmp(a + at, b + at, (size_t)significant(part)) == 0)
        return true;
    if (part->kind != KIND_FLOAT || m.alike == ALIKE_BITS)
        return false;
    long double x = number(part, a + at), y = number(part, b + at);
    if (isnan(x) && isnan(y))
        return true;
    long double most = slack(p, i, m, a, b, scale, first, at);
    /* Sums may overflow on the way in one order and not in the other; then nothing is known. */
    return isinf(most) || fabsl(x - y) <= most;
}

int64_t compare(const struct pattern *p, struct measure m, const void *a, const void *b, const void *scale, int64_t bytes)
{
    int64_t at = 0;
    if (memcmp(a, b, (size_t)bytes) == 0)
        return -1;
    while (at < bytes) {
        int64_t first = at;
        for (int i = 0; i < p->parts; at += p->part[i++].size)
            if (!alike(p, i, m, a, b, scale, first, at))
                return at;
    }
    return -1;
}

void compare_magnitudes(const struct pattern *p, void *numbers, int64_t bytes)
{
    char *at = numbers, *end = at + bytes;
    while (at < end)
        for (int i = 0; i < p->parts; at += p->part[i++].size)
            if (p->part[i].kind == KIND_FLOAT)
                put_number(&p->part[i], at, fabsl(number(&p->part[i], at)));
}

static int64_t integer(const struct part *p, const void *at)
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64 = 0;
    switch (p->size) {
    case sizeof i8:
        return memcpy(&i8, at, sizeof i8), i8;
    case sizeof i16:
        return memcpy(&i16, at, sizeof i16), i16;
    case sizeof i32:
        return memcpy(&i32, at, sizeof i32), i32;
    default:
        return memcpy(&i64, at, sizeof i64), i64;
    }
}

const char *part_text(const struct part *p, const void *value, char *text, int size)
{
    const size_t room = (size_t)size;
    const int digits = p->size == sizeof(float)    ? FLT_DECIMAL_DIG
                       : p->size == sizeof(double) ? DBL_DECIMAL_DIG
                                                   : LDBL_DECIMAL_DIG;
    if (p->kind == KIND_SIGNED)
        snprintf(text, room, "%" PRId64, integer(p, value));
    else if (p->kind == KIND_UNSIGNED)
        snprintf(text, room, "%" PRIu64, (uint64_t)integer(p, value) & UINT64_MAX >> (64 - 8 * p->size));
    else if (p->kind == KIND_FLOAT)
        snprintf(text, room, "%.*Lg", digits, number(p, value));
    else
        snprintf(text, room, "0x%02x", *(const unsigned char *)value);
    return text;
}
