/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cut: where the blocks of a message begin and end. All ranks compute the same cut, from numbers equal on all ranks.
 *
 * Parts share the message's units evenly, and blocks share their part's units evenly. If there is a remainder, the first
 * parts or blocks are one unit larger. If there are fewer blocks than parts, the blocks share the units of the message
 * evenly. An element lies in the same part for every n >= parts, and its operands are combined in the same order for every
 * such n. Each tree of an engine carries a part of its own.
 */
#pragma once

#include <assert.h>
#include <stdint.h>

struct cut {
    int64_t units;  /* the message's bytes or elements, which no cut divides (struct facts) */
    int64_t blocks; /* n, 1 .. units */
    int64_t parts;  /* >= 1, see engine_parts() */
};

/* Does what cut_offset() does, but takes only 0 < j < n. */
int64_t cut_offset_between(const struct cut *c, int64_t j);

/* First unit of block j, 0 <= j <= n; cut_offset(c, n) = units. Inline, as j is often 0 or n. */
static inline int64_t cut_offset(const struct cut *c, int64_t j)
{
    assert(c->blocks >= 1 && c->blocks <= c->units && c->parts >= 1 && j >= 0 && j <= c->blocks);
    return j == 0 ? 0 : j == c->blocks ? c->units : cut_offset_between(c, j);
}

/* Number of units in block j: at least 1. */
int64_t cut_size(const struct cut *c, int64_t j);

int64_t cut_largest(const struct cut *c);

/* ceil(a / b) for a >= 0, b > 0. */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* ceil(log2 p) for p >= 1. */
static inline int ceil_log2(int64_t p)
{
    return p <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(p - 1));
}

/* First block of part i of n blocks, 0 <= i <= parts; n for i = parts. */
int64_t part_offset(int64_t n, int64_t parts, int64_t i);

/* The part that has block j of n: the inverse of part_offset(). */
int64_t part_with(int64_t n, int64_t parts, int64_t j);
