/* SPDX-License-Identifier: BSD-2-Clause */
/* Common parts of the formulas of the native call; see native_model.c. Times are in seconds; m: bytes. */
#pragma once

#include "facts.h"

/* Bytes over the boundary of consecutive ranks in MPICH's broadcast or reduction, as a multiple of the message. By hand. */
#define NATIVE_LOAD 2

/*
 * Extra time of each byte beyond LARGEST_BLOCK, as a share of beta. MPICH's allreduce takes it between nodes, where two
 * ranks send to each other at once. In scripts/lab, sums on 16 hosts take 1.8, 2.2 and 2.7 beta m at 256 KiB, 1 and 4 MiB,
 * and a user's operation takes 4.1, 5.0 and 6.7. Without the extra time, the model predicts 1.9 and 4 for all sizes.
 */
#define LARGE_EXCHANGE 0.5

/*
 * The largest message that Open MPI sends eagerly over TCP. In an exchange, the bytes beyond it go one way at a time. In
 * scripts/lab, sums on 16 hosts take 1.9, 2.9, 3.3 and 3.6 beta m at 128 KiB, 256 KiB, 1 and 4 MiB, and a user's operation
 * takes 6.1, 7.1, 8.3 and 7.3. Without this limit, the model predicts 1.9 and 4 for all sizes.
 */
#define EAGER_OPEN_MPI (64 << 10)

/*
 * The largest message that Open MPI puts into memory of the receiver at once, so that the sender goes on. On a crowded node,
 * ranks that wait yield their cores. On two cores, three or four ranks take 0.2 to 0.8 us for a broadcast, reduction or scan
 * of such a message, and 3.5 to 4.5 us for one of 512 bytes; through shared memory they take 0.7 to 1.2 us for either.
 */
#define PUT_AT_ONCE 256

/* MPICH broadcasts messages of fewer bytes node by node, by binomial trees. */
#define SHORT_MPICH 12288

/* Seconds of a step without its bytes: alpha, or hop if there are only two ranks, as no other rank waits then. */
double native_start_up(int ranks, const struct figures *g);

/* The size of a message that, on its own, takes as long as an exchange of `bytes` each way between nodes. */
double native_exchanged(const struct facts *f, double bytes);

/* Seconds of the exchanges in an allreduce: by doubling with whole messages, or by halving and doubling with parts. */
double native_exchanges(const struct facts *f, double m, const struct figures *g, const struct figures *node);

/* native_seconds() by library. */
double native_mpich(const struct facts *f, const struct figures *g, const struct figures *node);
double native_openmpi(const struct facts *f, const struct figures *g, const struct figures *node);
