/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out whether the MPI library's own all-reduce combines operands in pairs. */
#ifndef PLEACH_PAIRS_H
#define PLEACH_PAIRS_H

#include "comm.h"

/*
 * Collective over c, which has 2^k ranks. Does the native all-reduce of `bytes` bytes add the ranks' operands as
 * ((0+1)+(2+3))+..? The operands of this test have sums with other bits in most other orders. Returns false without a test
 * if `bytes` is below 8 or above 64 MiB, or if memory is short on a rank. The result is the same on all ranks.
 */
bool pairs_natively(const struct comm *c, int64_t bytes);

#endif
