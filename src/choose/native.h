/* SPDX-License-Identifier: BSD-2-Clause */
/* What the formulas of the native call have in common; see native.c. Seconds; m: bytes. */
#ifndef PLEACH_NATIVE_H
#define PLEACH_NATIVE_H

#include "facts.h"

/* The way of a message: between two ranks there is no round in which others wait. */
double native_start_up(int ranks, const struct figures *g);

/*
 * Bytes of a message between nodes that takes as long as one of so many bytes does in an exchange, where as large a one goes
 * the other way.
 */
double native_exchanged(const struct facts *f, double bytes);

/* An allreduce among those ranks that exchange with each other: by doubling or, of parts, by halving and doubling. */
double native_exchanges(const struct facts *f, double m, const struct figures *g, const struct figures *node);

/* What native_seconds() is with Open MPI; see native_openmpi.c. */
double native_openmpi(const struct facts *f, const struct figures *g, const struct figures *node);

#endif
