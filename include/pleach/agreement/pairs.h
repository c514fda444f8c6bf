/* SPDX-License-Identifier: BSD-2-Clause */
/* Does the MPI library's own allreduce combine operands in pairs? */
#ifndef PLEACH_PAIRS_H
#define PLEACH_PAIRS_H

#include "comm.h"

/*
 * Collective over c, which has 2^k ranks. Does the native sum of so many bytes have the bits of (0+1)+(2+3) .., whatever the
 * operands? It sums operands whose order changes the bits. False, too, if some rank lacks memory. The same on all ranks.
 */
bool pairs_natively(const struct comm *c, int64_t bytes);

#endif
