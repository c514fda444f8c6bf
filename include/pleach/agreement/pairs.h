/* SPDX-License-Identifier: BSD-2-Clause */
/* Does the MPI library's own allreduce combine operands in pairs? */
#ifndef PLEACH_PAIRS_H
#define PLEACH_PAIRS_H

#include "comm.h"

/*
 * Collective. Among 2^k ranks: does the native sum of so many bytes have the bits of (0+1)+(2+3) .., whatever the operands?
 * It is tried with some that tell. False, too, where some rank lacks the memory. The same on all ranks.
 */
bool pairs_natively(const struct comm *c, int64_t bytes);

#endif
