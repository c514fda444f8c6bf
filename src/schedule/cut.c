/* SPDX-License-Identifier: BSD-2-Clause */
/* The cut of a message into blocks; see cut.h. */
#include "cut.h"

int64_t part_offset(int64_t n, int64_t parts, int64_t i)
{
    int64_t size = n / parts, larger = n % parts;
    return i * size + (i < larger ? i : larger);
}

int64_t part_with(int64_t n, int64_t parts, int64_t j)
{
    int64_t size = n / parts, larger = n % parts, end = larger * (size + 1);
    return j < end ? j / (size + 1) : larger + (j - end) / size;
}

int64_t cut_offset_between(const struct cut *c, int64_t j)
{
    if (c->parts == 1 || c->blocks <= c->parts)
        return part_offset(c->units, c->blocks, j);
    int64_t part = part_with(c->blocks, c->parts, j), first = part_offset(c->blocks, c->parts, part);
    int64_t begin = part_offset(c->units, c->parts, part), end = part_offset(c->units, c->parts, part + 1);
    return begin + part_offset(end - begin, part_offset(c->blocks, c->parts, part + 1) - first, j - first);
}

int64_t cut_size(const struct cut *c, int64_t j)
{
    return cut_offset(c, j + 1) - cut_offset(c, j);
}

int64_t cut_largest(const struct cut *c)
{
    /* The largest block is the first of a part: block 0, or the first block of the first part that has one block fewer. */
    int64_t size = cut_size(c, 0);
    if (c->parts > 1 && c->blocks > c->parts && c->blocks % c->parts) {
        int64_t other = cut_size(c, part_offset(c->blocks, c->parts, c->blocks % c->parts));
        if (other > size)
            size = other;
    }
    return size;
}
