/* SPDX-License-Identifier: BSD-2-Clause */
/* The cells and groups of a segment, the memory that ranks of a node share; see segment.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes of a cell in a segment that `ranks` ranks share: a multiple of 4 KiB. `nodes` is the number of nodes of their
 * communicator. Where many ranks share a segment, cells are smaller: so the node's budget, PLEACH_SHARED, is enough for more
 * ranks. The only two ranks of a communicator have the largest cells, as no third rank waits until the first cell is full.
 */
int64_t segment_cell_bytes(int ranks, int nodes);

/*
 * Bytes of a cell where all ranks of the communicator are on one node, and each rank's share of the budget is `share` bytes.
 * If the node has more ranks than cores (`crowded`), cells are larger by SEGMENT_LARGE: there a rank works until it has
 * filled or emptied all cells that it can, and then yields its core. The larger the cells are, the less often ranks change
 * on a core. Cells are halved, down to SEGMENT_LEAST bytes, until the share is enough for SEGMENT_AMPLE segments of so many
 * ranks: a program that arranges the ranks of a large node in rows and columns has several communicators. The size never
 * depends on the part of the budget that is left: so equal calls are cut alike in every run.
 */
int64_t segment_cell_within(int ranks, bool crowded, int64_t share);
enum { SEGMENT_LARGE = 4, SEGMENT_AMPLE = 6, SEGMENT_LEAST = 8 << 10 };

/*
 * If cells have more than SEGMENT_FEW_CELL bytes, as those of two ranks do, a message that fills fewer than SEGMENT_FEW
 * cells has smaller blocks: of SEGMENT_FEW_BLOCK bytes at most. Else the second of two ranks would wait too long for the
 * first block. Longer messages are cut so, too, if an operation of the program folds them: it then finds the blocks in a
 * closer cache. In a row, such scans of 64 KiB to 16 MiB take 4 to 10 % less. With blocks that are smaller still, calls
 * take longer: each block costs some 0.1 us more than its data. See fills_few() in src/choose/model.c for the exceptions.
 */
enum { SEGMENT_FEW = 4, SEGMENT_FEW_CELL = 32 << 10, SEGMENT_FEW_BLOCK = 16 << 10 };

/*
 * The memory of a rank's SEGMENT_DEPTH largest cells is a ring of spots, of SEGMENT_SPOT bytes each. A cell is as many spots
 * in a row as its block needs: a power of 2. So ranks may be ahead of each other by many short rounds. The same memory is
 * written again only after the whole ring: memory that the readers have read a few rounds ago takes much longer to write. A
 * largest cell has SEGMENT_SPOTS spots at least.
 */
enum { SEGMENT_SPOTS = 16, SEGMENT_SPOT = 512 };

/* Turns of a round stay below this. So a node with so many ranks has no segment. */
enum { SEGMENT_TURNS = 4096 };

/*
 * Bytes of the head of a segment, with padding; of a rank's counters without its turns; of the turns and the notes of rounds
 * whose numbers share SEGMENT_NOTES spots in a row.
 */
enum { SEGMENT_PAGE = 4096, SEGMENT_COUNTERS = 512, SEGMENT_TURN = 64, SEGMENT_NOTES = 8 };

/* The bytes of a spot are 2 to this power. `cell`: bytes of the largest cell, a power of 2. */
int segment_spot_log(int64_t cell);

/* Bytes of a rank's counters, with padding. */
int64_t segment_counters(int64_t cell);

/* Bytes of a segment of so many ranks: the head, and for each rank its counters and its ring of spots. */
int64_t segment_bytes(int ranks, int64_t cell);

/* The number of ranks in a group of a segment that `ranks` ranks share; 1: there are no groups. See segment.h. */
int segment_group(int ranks);
