/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of parts and their pieces of w blocks, for butterfly and the allreduce of circulant; see cut.h. */
#pragma once

#include "cut.h"
#include "schedule.h"

/* Pieces in the largest range of `parts` of p parts. This range begins with part 0, as the first parts are the largest. */
static inline int64_t parts_pieces(const struct shape *s, int64_t p, int64_t parts)
{
    return (part_offset(s->blocks, p, parts) - 1) / shape_wide(s) + 1;
}

/*
 * The u-th piece of the range of `parts` parts that begins with part `first` mod p, 0 <= first < 2p. Block 0 follows block
 * n-1. If there is no such piece, `more` of the result is negative.
 */
static inline struct piece parts_piece(const struct shape *s, int64_t p, int slot, int64_t first, int64_t parts, int64_t u)
{
    const int64_t n = s->blocks, w = shape_wide(s), from = first % p, to = from + parts;
    const int64_t block = part_offset(n, p, from) + u * w;
    const int64_t left = (to <= p ? part_offset(n, p, to) : n + part_offset(n, p, to - p)) - block;
    return (struct piece){slot, block % n, (left < w ? left : w) - 1};
}
