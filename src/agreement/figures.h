/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the figures of the machine, except places. */
#ifndef PLEACH_FIGURES_H
#define PLEACH_FIGURES_H

#include "limit.h"
#include "nodes.h"

/* Bytes of a buffer: enough for the largest native call that is measured, which is larger than a block. */
#define FIGURES_ROOM NATIVE_BYTES(NATIVE_SIZES - 1)

/*
 * Collective over `comm`, whose ranks are those of `list`. Measures the fields figures, noisy and native of *m. The results
 * may differ between ranks by rounding. Measurements that the limit leaves out count as disturbed. `buffers` has 2 *
 * FIGURES_ROOM bytes.
 */
void figures_measure(struct machine *m, MPI_Comm comm, const struct by_node *list, char *buffers, struct limit *limit);

#endif
