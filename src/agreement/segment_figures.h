/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of a segment. */
#ifndef PLEACH_SEGMENT_FIGURES_H
#define PLEACH_SEGMENT_FIGURES_H

#include "pmpi.h"
#include "segment.h"

/*
 * Collective over `comm`, whose ranks share the segment, and have a core each. Sets s->figures and how to copy, the same on
 * all ranks. The first such call of a process takes about three milliseconds; later ones for as many ranks take
 * its figures, if all ranks of `comm` have them. Sets s->figures to zeros if measuring was disturbed, or no memory was left.
 * The rounds of the segment go on behind those of measuring.
 */
void segment_figures_measure(struct segment *s, MPI_Comm comm);

#endif
