/* SPDX-License-Identifier: BSD-2-Clause */
/* What the formulas of the native call have in common; see native_model.c. Seconds; m: bytes. */
#ifndef PLEACH_NATIVE_H
#define PLEACH_NATIVE_H

#include "facts.h"

/* How often a broadcast or a reduction of MPICH's goes in or out of a place whose ranks are consecutive. By hand. */
#define NATIVE_LOAD 2

/*
 * The extra share of time of each byte beyond LARGEST_BLOCK in an exchange between nodes, in MPICH's allreduce, where both
 * ways carry one message. In scripts/lab, sums on 16 hosts take 1.8, 2.2 and 2.7 beta m at 256 KiB, 1 and 4 MiB, and the
 * user's operation takes 4.1, 5.0 and 6.7. Without this the model has 1.9 and 4 for all sizes.
 */
#define LARGE_EXCHANGE 0.5

/*
 * The largest message that Open MPI sends eagerly over TCP. The bytes of an exchange beyond it go one way at a time. In
 * scripts/lab, sums on 16 hosts take 1.9, 2.9, 3.3 and 3.6 beta m at 128 KiB, 256 KiB, 1 and 4 MiB, and the user's operation
 * takes 6.1, 7.1, 8.3 and 7.3. Without this the model has 1.9 and 4 for all sizes.
 */
#define EAGER_OPEN_MPI (64 << 10)

/* The way of a message: between two ranks there is no round in which others wait. */
double native_start_up(int ranks, const struct figures *g);

/*
 * The size of a one-way message between nodes that takes as long as one of `bytes` in an exchange, which sends as large a
 * one the other way.
 */
double native_exchanged(const struct facts *f, double bytes);

/* An allreduce among those ranks that exchange with each other: by doubling or, of parts, by halving and doubling. */
double native_exchanges(const struct facts *f, double m, const struct figures *g, const struct figures *node);

/* What native_seconds() is with Open MPI; see native_model_openmpi.c. */
double native_openmpi(const struct facts *f, const struct figures *g, const struct figures *node);

#endif
