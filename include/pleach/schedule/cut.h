/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cut: where the blocks of a message begin and end. Shared by all ranks, hence computed from rank-invariant numbers.
 *
 * The message has parts that share its units evenly, and the blocks of a part share that part's units evenly; where numbers
 * do not divide, the first ones are one larger. So which part an element lies in, and with it the order in which its
 * operands are combined, does not depend on n, as long as there are as many blocks as parts. A tree carries a part of its
 * own.
 */
#ifndef PLEACH_CUT_H
#define PLEACH_CUT_H

#include <stdint.h>

struct cut {
    int64_t units;  /* indivisible pieces of the message (struct facts) */
    int64_t blocks; /* n, 1 .. units */
    int parts;      /* >= 1, see engine_parts() */
};

/* First unit of block j, 0 <= j <= n; cut_offset(c, n) = units. */
int64_t cut_offset(const struct cut *c, int64_t j);

/* Units in block j, >= 1. */
int64_t cut_size(const struct cut *c, int64_t j);

/* Units in the largest block. */
int64_t cut_largest(const struct cut *c);

/* First block of part i, 0 <= i <= parts, of n blocks; with i = parts: n. */
int64_t part_offset(int64_t n, int64_t parts, int64_t i);

#endif
