/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two results of a collective call. A result is a string of data bytes, in the order of the type signature. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum number_type { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_FLOAT, NUMBER_OPAQUE };

/* A number of `size` bytes; a long double does not use all of them. Opaque data are compared byte by byte. */
struct component {
    enum number_type type;
    int size;
};

/* A result is a sequence of equal patterns. Each has two components in complex numbers and pairs (MPI_MINLOC), else one. */
struct pattern {
    int components;
    bool complex; /* the components form one number: the larger one sets the limit for the differences of both */
    struct component component[2];
};

/*
 * The conditions on which two floating-point numbers a and b are alike; eps is the distance from 1 to the next number of
 * their type. Two NaNs are alike, but under ALIKE_BITS only if they have the same bits. If a bound is infinite, any two
 * numbers are alike. Other data need the same bits.
 */
enum alike {
    ALIKE_BITS,     /* the same bits */
    ALIKE_VALUES,   /* a = b */
    ALIKE_RELATIVE, /* |a-b| <= factor eps max(|a|,|b|), where the maximum is that of the finite numbers */
    ALIKE_SUM       /* |a-b| <= factor eps scale, where scale is the sum of |x| over all x that were added */
};

struct tolerance {
    enum alike alike;
    double factor;
};

/* Bytes of a pattern. The bytes of compared data are a multiple of this number. */
int pattern_bytes(const struct pattern *p);

/*
 * The offset of the first component in which a and b are not alike, or -1. `scale` has the scales for ALIKE_SUM, in the
 * layout of a and b; it is not read otherwise.
 */
int64_t first_difference(const struct pattern *p, struct tolerance t, const void *a, const void *b, const void *scale,
                         int64_t bytes);

/* Replaces each floating-point number by its absolute value. */
void make_magnitudes(const struct pattern *p, void *numbers, int64_t bytes);

/* The value of a component as text: decimal, with all digits that count; opaque bytes as 0xHH. Returns text. */
const char *component_text(const struct component *p, const void *value, char *text, int size);
