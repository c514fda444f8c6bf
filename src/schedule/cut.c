/* SPDX-License-Identifier: BSD-2-Clause */
/* The cut of a message into blocks; see cut.h. */
#include "cut.h"

#include <assert.h>

/* `units` shared by `n` blocks, the first units mod n blocks one unit larger: offset of block j. */
static int64_t even_offset(int64_t units, int64_t n, int64_t j)
{
    int64_t size = units / n, larger = units % n;
    return j * size + (j < larger ? j : larger);
}

int64_t cut_offset(const struct cut *c, int64_t j)
{
    assert(c->blocks >= 1 && c->blocks <= c->units && (c->trees == 1 || c->trees == 2));
    assert(j >= 0 && j <= c->blocks);
    if (c->trees < 2 || c->blocks < 2)
        return even_offset(c->units, c->blocks, j);
    int64_t first = c->blocks - c->blocks / 2, half = c->units - c->units / 2;
    if (j <= first)
        return even_offset(half, first, j);
    return half + even_offset(c->units / 2, c->blocks / 2, j - first);
}

int64_t cut_size(const struct cut *c, int64_t j)
{
    return cut_offset(c, j + 1) - cut_offset(c, j);
}

int64_t cut_largest(const struct cut *c)
{
    /* The first block of each tree is as large as any of that tree. */
    int64_t size = cut_size(c, 0);
    if (c->trees == 2 && c->blocks >= 2) {
        int64_t other = cut_size(c, c->blocks - c->blocks / 2);
        if (other > size)
            size = other;
    }
    return size;
}
