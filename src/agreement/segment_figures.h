/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the figures of a segment. */
#ifndef PLEACH_SEGMENT_FIGURES_H
#define PLEACH_SEGMENT_FIGURES_H

#include "pmpi.h"
#include "segment.h"

/*
 * Collective over `comm`, whose ranks share the segment and have a core each. Sets s->figures and the best way to copy
 * (s->takes, stream_past, spread_past), the same on all ranks. The first call in a process takes about three milliseconds. A
 * later call for the same number of ranks takes the figures of the earlier call, if all ranks of `comm` have them. Sets
 * s->figures to zeros if measuring was disturbed, or if memory is short; after three such calls for a number of ranks, it
 * does not measure any more. Measuring uses some rounds of the segment, and later operations continue behind them.
 */
void segment_figures_measure(struct segment *s, MPI_Comm comm);

#endif
