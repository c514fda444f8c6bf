/* SPDX-License-Identifier: BSD-2-Clause */
/* The shape of a fractional tree: the size of its groups and its depth; see fractional.c. */
#ifndef PLEACH_FRACTIONAL_H
#define PLEACH_FRACTIONAL_H

#include <pleach/schedule.h>

/* r: what the shape fixes, or what takes the fewest rounds or close to it. Where the tree is a chain, at least p and n. */
int64_t fractional_group(const struct shape *shape);

/* d: in a tree of p >= 2 ranks, the step in which the first packet reaches the last of them. */
int64_t fractional_depth(int p, int64_t r);

#endif
