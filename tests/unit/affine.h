/* SPDX-License-Identifier: BSD-2-Clause */
/* An operation that is associative but not commutative: composition of affine maps. */
#pragma once

#include <stdint.h>

/* The map that applies `low` and then `high`. The lower 32 bits of a map are its factor, the upper 32 its constant. */
static inline int64_t affine_then(int64_t low, int64_t high)
{
    const uint32_t a = (uint32_t)low, b = (uint32_t)(low >> 32), c = (uint32_t)high, d = (uint32_t)(high >> 32);
    return (int64_t)((uint64_t)(d + c * b) << 32 | (uint32_t)(c * a));
}
