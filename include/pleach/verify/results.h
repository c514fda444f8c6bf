/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares results: data bytes in signature order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum number_type { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_FLOAT, NUMBER_OPAQUE };

/* Of `size` bytes, of which a long double leaves some. Opaque ones are compared by bytes. */
struct component {
    enum number_type type;
    int size;
};

/* A result is a row of these: two components in complex numbers and pairs (MPI_MINLOC), else one. */
struct pattern {
    int components;
    bool complex; /* one number: the larger component sets the limit of both */
    struct component component[2];
};

/*
 * When floating-point numbers are alike; other data need the same bits. Eps: from 1 to the next number. NaNs are alike,
 * under ALIKE_BITS if their bits are. Under an infinite bound all are.
 */
enum alike {
    ALIKE_BITS,
    ALIKE_VALUES,   /* a = b */
    ALIKE_RELATIVE, /* |a-b| <= factor eps max(|a|,|b|), of the finite numbers */
    ALIKE_SUM       /* |a-b| <= factor eps scale; scale: the sum of |x| over all addends */
};

struct tolerance {
    enum alike alike;
    double factor;
};

/* Bytes of a pattern; compared data are a multiple of these. */
int pattern_bytes(const struct pattern *p);

/* The offset of the first component in which a and b are not alike, or -1. `scale`: as a and b, for ALIKE_SUM alone. */
int64_t first_difference(const struct pattern *p, struct tolerance t, const void *a, const void *b, const void *scale,
                         int64_t bytes);

void make_magnitudes(const struct pattern *p, void *numbers, int64_t bytes);

/* Decimal, with all digits; opaque bytes as 0xHH. Returns text. */
const char *component_text(const struct component *p, const void *value, char *text, int size);
