/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cut: where the blocks of a message begin and end; the same on all ranks.
 *
 * Parts share the message's units evenly, and blocks their part's; the first ones are one unit larger if there is a
 * remainder. Fewer blocks than parts share the message's units. For every n >= parts, an element lies in the same part, and
 * its operands are combined in the same order.
 */
#pragma once

#include <assert.h>
#include <stdint.h>

struct cut {
    int64_t units; /* bytes, or elements, which no cut divides */
    int64_t blocks;
    int64_t parts; /* see engine_parts() */
};

/* cut_offset() for 0 < j < n. */
int64_t cut_offset_between(const struct cut *c, int64_t j);

/* First unit of block j, 0 <= j <= n. Inline, as j is often 0 or n. */
static inline int64_t cut_offset(const struct cut *c, int64_t j)
{
    assert(c->blocks >= 1 && c->blocks <= c->units && c->parts >= 1 && j >= 0 && j <= c->blocks);
    return j == 0 ? 0 : j == c->blocks ? c->units : cut_offset_between(c, j);
}

/* Units in block j: at least 1. */
int64_t cut_size(const struct cut *c, int64_t j);

int64_t cut_largest(const struct cut *c);

/* For a >= 0, b > 0. */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* For p >= 1. */
static inline int ceil_log2(int64_t p)
{
    return p <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(p - 1));
}

/* First block of part i of n blocks, 0 <= i <= parts. */
int64_t part_offset(int64_t n, int64_t parts, int64_t i);

/* The part that has block j of n. */
int64_t part_with(int64_t n, int64_t parts, int64_t j);
