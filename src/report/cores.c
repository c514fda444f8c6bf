/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of cores; see cores.h. */
#include "cores.h"

#include <ctype.h>
#include <stdlib.h>

void cores_add(struct cores *c, const char *list)
{
    while (isdigit((unsigned char)*list)) {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        const unsigned long last = *end == '-' && isdigit((unsigned char)end[1]) ? strtoul(end + 1, &end, 10) : first;
        for (unsigned long i = first; i <= last && i < CORES_MOST; i++)
            c->bit[i / 64] |= UINT64_C(1) << i % 64;
        list = *end == ',' ? end + 1 : end;
    }
}

int cores_count(const struct cores *c)
{
    int count = 0;
    for (int i = 0; i < CORES_MOST / 64; i++)
        count += __builtin_popcountll(c->bit[i]);
    return count;
}
