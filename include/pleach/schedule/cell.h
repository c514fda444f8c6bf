/* SPDX-License-Identifier: BSD-2-Clause */
/* The cells and groups of a segment, the memory that ranks of a node share; see segment.h. */
#ifndef PLEACH_CELL_H
#define PLEACH_CELL_H

#include <stdint.h>

/*
 * Bytes of a cell in a segment that `ranks` ranks share: a multiple of 4 KiB. `nodes` is the number of nodes of their
 * communicator. Where many ranks share a segment, cells are smaller: so the node's budget, PLEACH_SHARED, is enough for more
 * ranks. The only two ranks of a communicator have the largest cells, as no third rank waits until the first cell is full.
 */
int64_t segment_cell_bytes(int ranks, int nodes);

/*
 * Cells are larger by SEGMENT_LARGE where all ranks of the communicator are on one node, the node has more ranks than cores,
 * and a rank's share of the budget is enough for SEGMENT_AMPLE segments of such cells. There a rank works until it has
 * filled or emptied all cells that it can, and then yields its core. The larger the cells are, the less often ranks change
 * on a core. The size never depends on the part of the budget that is left: so equal calls are cut alike in every run.
 */
enum { SEGMENT_LARGE = 4, SEGMENT_AMPLE = 6 };

/*
 * If cells have more than SEGMENT_FEW_BLOCK bytes, and a message fills one cell but fewer than SEGMENT_FEW, its blocks are
 * smaller: at least SEGMENT_FEW_BLOCK bytes. Else the second of two ranks would wait too long for the first block. If both
 * begin a reduction or scan of 64 or 128 KiB together, they take 8 to 18 % less. Blocks that are smaller still take longer:
 * each costs some 0.3 us more than its data. See fills_few() in src/choose/model.c for the exceptions.
 */
enum { SEGMENT_FEW = 4, SEGMENT_FEW_BLOCK = 32 << 10 };

/* Turns of a round stay below this. So a node with so many ranks has no segment. */
enum { SEGMENT_TURNS = 4096 };

/* Bytes of the head of a segment, and of each rank's counters, with padding. */
enum { SEGMENT_PAGE = 4096 };

/* Bytes of a segment of so many ranks: the head, and for each rank its counters and SEGMENT_DEPTH cells. */
int64_t segment_bytes(int ranks, int64_t cell);

/* The number of ranks in a group of a segment that `ranks` ranks share; 1: there are no groups. See segment.h. */
int segment_group(int ranks);

#endif
