/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing two results of a collective call. No MPI here: a result is its data bytes, in the order of the signature. */
#ifndef PLEACH_COMPARE_H
#define PLEACH_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

enum number_kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT, KIND_OPAQUE };

/* A number of `size` bytes; a long double does not use all of them. Opaque: bytes, each for itself. */
struct component {
    enum number_kind kind;
    int size;
};

/* The unit that a result repeats: one number, or two for complex numbers and for the pairs of MPI_MINLOC. */
struct pattern {
    int components;
    bool complex; /* the components form one number; rounding in one is measured against both */
    struct component component[2];
};

/* When two floating-point numbers a and b are alike, with eps of their type. All else is compared bit for bit. */
enum alike {
    ALIKE_BITS,     /* the same bits */
    ALIKE_VALUES,   /* a = b, or both are NaN */
    ALIKE_RELATIVE, /* |a-b| <= factor eps max(|a|,|b|) */
    ALIKE_SUM       /* |a-b| <= factor eps scale, where scale is the sum of |x| over all x that were added */
};

struct tolerance {
    enum alike alike;
    double factor;
};

/* Bytes of a pattern. Compared ranges are multiples of it. */
int pattern_bytes(const struct pattern *p);

/*
 * The offset of the first component in which a and b are not alike, or -1. `scale` has the sums for ALIKE_SUM, in the layout
 * of a and b; other tolerances do not read it.
 */
int64_t first_difference(const struct pattern *p, struct tolerance t, const void *a, const void *b, const void *scale,
                         int64_t bytes);

/* Makes each floating-point number its absolute value. */
void make_magnitudes(const struct pattern *p, void *numbers, int64_t bytes);

/* The value of a component as text: decimal, with all digits that count; opaque bytes as 0xHH. Returns text. */
const char *component_text(const struct component *p, const void *value, char *text, int size);

#endif
