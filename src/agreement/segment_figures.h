/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the figures of a segment. */
#pragma once

#include "limit.h"
#include "pmpi.h"
#include "segment.h"

/*
 * Both functions are collective over `comm`, each of whose ranks has a part of a segment, one on each node, and a core. They
 * set s->figures, s->known and the best way to copy (s->claims, stream_past, spread_past), the same on all ranks.
 *
 * segment_figures_recall() takes the results of an earlier segment of as many ranks, if all ranks of `comm` have some; else
 * it sets nothing.
 */
void segment_figures_recall(struct segment *s, MPI_Comm comm);

/*
 * Measures, unless all ranks have results. Sets s->figures to zeros if measuring was disturbed or has reached the limit;
 * after three such calls for a number of ranks, these results are final. Measuring uses some rounds of the segment, and
 * later operations continue behind them. `buffers` has two cells.
 */
void segment_figures_measure(struct segment *s, MPI_Comm comm, char *buffers, struct limit *limit);
