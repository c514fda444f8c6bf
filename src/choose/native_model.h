/* SPDX-License-Identifier: BSD-2-Clause */
/* Common parts of the formulas of native calls, in seconds; see doc/constants. m: bytes. */
#pragma once

#include "facts.h"

/* Over the boundary of consecutive ranks in MPICH's broadcast or reduction, per byte of the message. */
#define NATIVE_LOAD 2

/* MPICH's exchanges between nodes: extra time of each byte beyond LARGEST_BLOCK, as a share of beta. */
#define LARGE_EXCHANGE 0.5

/* Open MPI's largest eager message over TCP. In an exchange, bytes beyond it go one way at a time. */
#define EAGER_OPEN_MPI (64 << 10)

/* Open MPI's largest message that a sender puts into the receiver's memory, and goes on. */
#define PUT_AT_ONCE 256

/* MPICH broadcasts messages of fewer bytes node by node, by binomial trees. */
#define SHORT_MPICH 12288

/* A step without its bytes: alpha, or hop if there are only two ranks. */
double native_start_up(int ranks, const struct figures *g);

/* The message that, on its own, takes as long as an exchange of `bytes` each way between nodes. */
double native_exchanged(const struct facts *f, double bytes);

/* Exchanges of an allreduce: by doubling, or by halving and doubling. */
double native_exchanges(const struct facts *f, double m, const struct figures *g, const struct figures *node);

double native_mpich(const struct facts *f, const struct figures *g, const struct figures *node);
double native_openmpi(const struct facts *f, const struct figures *g, const struct figures *node);
