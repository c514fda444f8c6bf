/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of a segment. */
#pragma once

#include "limit.h"
#include "pmpi.h"
#include "segment.h"

/*
 * Both are collective over `comm`, whose ranks have a core each and segments on all nodes. They set s->figures, s->known and
 * the best way to copy (claims, stream_past, spread_past), the same on all ranks. segment_figures_recall() takes the results
 * of an earlier segment of as many ranks, if all ranks have some; else it sets nothing.
 */
void segment_figures_recall(struct segment *s, MPI_Comm comm);

/*
 * Measures, unless all ranks have results. s->figures is zeros if measuring was disturbed or ran out of time; this is final
 * after three such calls for a number of ranks. Uses some rounds of the segment. `buffers`: two cells.
 */
void segment_figures_measure(struct segment *s, MPI_Comm comm, char *buffers, struct limit *limit);
