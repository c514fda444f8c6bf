/* SPDX-License-Identifier: BSD-2-Clause */
/* See results.h. */
#include "results.h"

#include "units.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXTENDED = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double) };

static int significant(const struct component *p)
{
    return p->type == NUMBER_FLOAT && p->size == sizeof(long double) ? EXTENDED : p->size;
}

static long double number(const struct component *p, const char *memory)
{
    float f;
    double d;
    long double l = 0;
    switch (p->size) {
    case sizeof f:
        return memcpy(&f, memory, sizeof f), f;
    case sizeof d:
        return memcpy(&d, memory, sizeof d), d;
    default:
        return memcpy(&l, memory, EXTENDED), l;
    }
}

static void put_number(const struct component *p, char *memory, long double value)
{
    float f = (float)value;
    double d = (double)value;
    memcpy(memory,
           p->size == sizeof f   ? (void *)&f
           : p->size == sizeof d ? (void *)&d
                                 : (void *)&value,
           (size_t)significant(p));
}

static long double epsilon(const struct component *p)
{
    return p->size == sizeof(float) ? FLT_EPSILON : p->size == sizeof(double) ? (long double)DBL_EPSILON : LDBL_EPSILON;
}

int pattern_bytes(const struct pattern *p)
{
    return p->component[0].size + (p->components > 1 ? p->component[1].size : 0);
}

static long double largest(const struct pattern *p, const char *memory)
{
    long double most = 0;
    for (int i = 0; i < p->components; memory += p->component[i++].size) {
        long double x = fabsl(number(&p->component[i], memory));
        if (isfinite(x) && x > most)
            most = x;
    }
    return most;
}

/* Between a and b at `offset`, component i of a pattern that begins at `first`. */
static long double slack(const struct pattern *p, int i, struct tolerance t, const char *a, const char *b, const char *scale,
                         int64_t first, int64_t offset)
{
    const struct component *component = &p->component[i];
    const struct pattern alone = {1, false, {*component}};
    if (t.alike == ALIKE_SUM)
        return t.factor * epsilon(component) * number(component, scale + offset);
    if (t.alike != ALIKE_RELATIVE)
        return 0;
    int64_t from = p->complex ? first : offset;
    const struct pattern *whole = p->complex ? p : &alone;
    return t.factor * epsilon(component) * fmaxl(largest(whole, a + from), largest(whole, b + from));
}

static bool alike(const struct pattern *p, int i, struct tolerance t, const char *a, const char *b, const char *scale,
                  int64_t first, int64_t offset)
{
    const struct component *component = &p->component[i];
    if (memcmp(a + offset, b + offset, (size_t)significant(component)) == 0)
        return true;
    if (component->type != NUMBER_FLOAT || t.alike == ALIKE_BITS)
        return false;
    long double x = number(component, a + offset), y = number(component, b + offset);
    if (isnan(x) && isnan(y))
        return true;
    long double most = slack(p, i, t, a, b, scale, first, offset);
    /* Intermediate sums may overflow in one order only. */
    return isinf(most) || fabsl(x - y) <= most;
}

int64_t first_difference(const struct pattern *p, struct tolerance t, const void *a, const void *b, const void *scale,
                         int64_t bytes)
{
    int64_t offset = 0;
    if (memcmp(a, b, (size_t)bytes) == 0)
        return -1;
    while (offset < bytes) {
        int64_t first = offset;
        for (int i = 0; i < p->components; offset += p->component[i++].size)
            if (!alike(p, i, t, a, b, scale, first, offset))
                return offset;
    }
    return -1;
}

void make_magnitudes(const struct pattern *p, void *numbers, int64_t bytes)
{
    char *memory = numbers, *end = memory + bytes;
    while (memory < end)
        for (int i = 0; i < p->components; memory += p->component[i++].size)
            if (p->component[i].type == NUMBER_FLOAT)
                put_number(&p->component[i], memory, fabsl(number(&p->component[i], memory)));
}

static int64_t integer(const struct component *p, const void *memory)
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64 = 0;
    switch (p->size) {
    case sizeof i8:
        return memcpy(&i8, memory, sizeof i8), i8;
    case sizeof i16:
        return memcpy(&i16, memory, sizeof i16), i16;
    case sizeof i32:
        return memcpy(&i32, memory, sizeof i32), i32;
    default:
        return memcpy(&i64, memory, sizeof i64), i64;
    }
}

const char *component_text(const struct component *p, const void *value, char *text, int size)
{
    const size_t room = (size_t)size;
    const int digits = p->size == sizeof(float)    ? FLT_DECIMAL_DIG
                       : p->size == sizeof(double) ? DBL_DECIMAL_DIG
                                                   : LDBL_DECIMAL_DIG;
    if (p->type == NUMBER_SIGNED)
        snprintf(text, room, "%" PRId64, integer(p, value));
    else if (p->type == NUMBER_UNSIGNED)
        snprintf(text, room, "%" PRIu64, (uint64_t)integer(p, value) & UINT64_MAX >> (64 - 8 * p->size));
    else if (p->type == NUMBER_FLOAT) {
        const locale_t before = uselocale(c_locale());
        snprintf(text, room, "%.*Lg", digits, number(p, value));
        uselocale(before);
    } else
        snprintf(text, room, "0x%02x", *(const unsigned char *)value);
    return text;
}
