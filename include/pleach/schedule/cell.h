/* SPDX-License-Identifier: BSD-2-Clause */
/* The sizes of cells and groups of a segment; see segment.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a cell, a multiple of 4 KiB; fewer where many ranks share a segment. */
int64_t segment_cell_bytes(int ranks, int nodes);

/*
 * Bytes of a cell if all ranks of the communicator are on one node, and each rank's share of the budget is `share` bytes. On
 * a node with more ranks than cores (`crowded`), cells are SEGMENT_LARGE times as large. They are halved, down to
 * SEGMENT_LEAST bytes, until the share is enough for SEGMENT_AMPLE segments. What is left of the budget does not matter:
 * equal calls are cut alike in every run.
 */
int64_t segment_cell_within(int ranks, bool crowded, int64_t share);
enum { SEGMENT_LARGE = 4, SEGMENT_AMPLE = 6, SEGMENT_LEAST = 8 << 10 };

/*
 * If cells have more than SEGMENT_FEW_CELL bytes, a message that fills fewer than SEGMENT_FEW of them has blocks of
 * SEGMENT_FEW_BLOCK bytes at most, so that the next rank begins early. So has a longer message that an operation of the
 * program folds: its blocks stay in a closer cache. Exceptions: fills_few() in src/choose/model.c.
 */
enum { SEGMENT_FEW = 4, SEGMENT_FEW_CELL = 32 << 10, SEGMENT_FEW_BLOCK = 16 << 10 };

/*
 * A rank's SEGMENT_DEPTH largest cells are a ring of spots, of SEGMENT_SPOT bytes each. A cell is as many spots in a row as
 * its block needs: a power of 2. So ranks may be ahead by many short rounds. A largest cell has SEGMENT_SPOTS spots at
 * least.
 */
enum { SEGMENT_SPOTS = 16, SEGMENT_SPOT = 512 };

/* Turns of a round stay below this; a node with so many ranks has no segment. */
enum { SEGMENT_TURNS = 4096 };

/*
 * Bytes, with padding, of a segment's head, of a rank's counters without turns, of the turns and notes of rounds whose
 * numbers share SEGMENT_NOTES spots, and of a block that lies beside its turn instead of in a spot.
 */
enum { SEGMENT_PAGE = 4096, SEGMENT_COUNTERS = 512, SEGMENT_TURN = 64, SEGMENT_NOTES = 4, SEGMENT_SMALL = 8 };

/* Log2 of a spot's bytes. `cell`: bytes of the largest cell, a power of 2. */
int segment_spot_log(int64_t cell);

int64_t segment_counters(int64_t cell);

/* The head, and for each rank its counters and its ring of spots. */
int64_t segment_bytes(int ranks, int64_t cell);

/* Ranks in a group of a segment; 1: there are no groups. See segment.h. */
int segment_group(int ranks);
