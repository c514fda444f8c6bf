/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cut: where the blocks of a message begin and end. Shared by all ranks, hence computed from rank-invariant numbers.
 *
 * With one tree, n blocks share the units evenly. With two trees the first ceil(n/2) blocks share the first
 * ceil(units/2) units and the others share the rest, so that which tree carries an element, and with it the order in
 * which its operands are combined, does not depend on n (n >= 2).
 */
#ifndef PLEACH_CUT_H
#define PLEACH_CUT_H

#include <stdint.h>

struct cut {
    int64_t units;  /* indivisible pieces of the message (struct facts) */
    int64_t blocks; /* n, 1 .. units */
    int trees;      /* 1 or 2 (struct engine) */
};

/* First unit of block j, 0 <= j <= n; cut_offset(c, n) = units. */
int64_t cut_offset(const struct cut *c, int64_t j);

/* Units in block j, >= 1. */
int64_t cut_size(const struct cut *c, int64_t j);

/* Units in the largest block. */
int64_t cut_largest(const struct cut *c);

#endif
