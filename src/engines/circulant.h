/* SPDX-License-Identifier: BSD-2-Clause */
/* Circulant graphs: every rank has neighbours at the same distances, the skips; see circulant.c, circulant_allreduce.c. */
#pragma once

#include "engine.h"

/* skip[k] = ceil(p / 2^(q-k)) for 0 <= k <= q = ceil(log2 p), p >= 2. It grows from 1 to p. */
static inline int64_t circulant_skip(int64_t p, int q, int k)
{
    return ((p - 1) >> (q - k)) + 1;
}

/* For struct service: the allreduce of a commutative operation; slots T0 and T1. */
void circulant_allreduce(struct schedule *s);
struct round_bound circulant_allreduce_round_bound(const struct shape *shape);
struct rank_work circulant_allreduce_work(const struct shape *shape);
