/* SPDX-License-Identifier: BSD-2-Clause */
/* The cells and groups of a segment, the memory that ranks of a node share; see segment.h. */
#ifndef PLEACH_CELL_H
#define PLEACH_CELL_H

#include <stdint.h>

/*
 * Bytes of a cell in a segment that `ranks` ranks share: a multiple of 4 KiB. The size follows from the number of ranks
 * alone, so equal calls are cut alike in every run. Cells are smaller where many ranks share a segment, so that the node's
 * budget (PLEACH_SHARED) is enough for more ranks.
 */
int64_t segment_cell_bytes(int ranks);

/*
 * The cells are larger by this factor where there are more ranks than cores and the budget is ample. There a rank works
 * until it has filled or emptied all cells that it can, and then yields its core. The larger the cells are, the less often
 * ranks change on a core.
 */
enum { SEGMENT_LARGE = 4 };

/* The number of ranks in a group of a segment that `ranks` ranks share; 1: there are no groups. See segment.h. */
int segment_group(int ranks);

#endif
