/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of the machine, but for places. */
#ifndef PLEACH_FIGURES_H
#define PLEACH_FIGURES_H

#include "limit.h"
#include "nodes.h"

/* Bytes of a buffer: the largest native call's, and more than a block's. */
#define FIGURES_ROOM NATIVE_BYTES(NATIVE_SIZES - 1)

/*
 * Collective over `comm`, whose ranks `list` has: measures figures, noisy and native of their machine. Ranks may round
 * differently. Measurements that the limit leaves out count as disturbed. `buffers` has twice FIGURES_ROOM bytes.
 */
void figures_measure(struct machine *m, MPI_Comm comm, const struct by_node *list, char *buffers, struct limit *limit);

#endif
