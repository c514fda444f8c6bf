/* SPDX-License-Identifier: BSD-2-Clause */
/* See block_value.h. */
#include "block_value.h"

#include "hash.h"

#include <stdlib.h>

static uint64_t weight(uint64_t rank)
{
    return mix64((rank + 1) * 0x9e3779b97f4a7c15u);
}

struct sim_value sim_operand(int rank)
{
    return (struct sim_value){.set = true, .lo = rank, .hi = rank, .weight = weight((uint64_t)rank), .count = 1};
}

struct sim_value sim_block(int64_t block)
{
    return (struct sim_value){.set = true, .tag = block, .lo = block, .hi = block};
}

bool sim_fold(const struct shape *s, const struct sim_value *a, struct sim_value *b)
{
    if (s->ordered && a->hi + 1 != b->lo)
        return false;
    b->lo = a->lo;
    b->weight += a->weight;
    b->count += a->count;
    return true;
}

uint64_t *sim_weights(int ranks)
{
    uint64_t *weights = calloc((size_t)ranks + 1, sizeof *weights);
    for (int i = 0; weights && i < ranks; i++)
        weights[i + 1] = weights[i] + weight((uint64_t)i);
    return weights;
}

bool sim_right(const struct shape *s, const uint64_t *weights, int rank, int64_t j, const struct sim_value *x)
{
    const enum collective c = s->collective;
    const int64_t last = collective_last(c, rank, s->ranks);
    if ((collective_reduces(c) || s->readers != READERS_ALL) && !shape_writes(s, rank, j))
        return true;
    if (!collective_reduces(c))
        return x->set && x->lo == j && x->hi == j;
    if (s->ordered)
        return x->set && x->lo == 0 && x->hi == last;
    return x->set && x->weight == weights[last + 1] && x->count == (uint64_t)(last + 1);
}
