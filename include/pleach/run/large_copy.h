/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies out of cells into messages larger than the caches, by memcpy() or past the caches (copies.h). The faster way
 * depends on the machine and its load, so each rank times its copies: LARGE_PAIRS times LARGE_RUN blocks each way. The
 * winner of most pairs serves up to block LARGE_AGAIN; then all begins anew. Both ways write the same bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LARGE_RUN = 8, LARGE_PAIRS = 8, LARGE_AGAIN = 1 << 14 };              /* blocks, pairs, blocks */
enum { LARGE_PAIR = 2 * LARGE_RUN, LARGE_TIMED = LARGE_PAIRS * LARGE_PAIR }; /* blocks of a pair; of all pairs */

/*
 * Bytes from which a message exceeds the caches of one of `ranks` ranks on a node. Smaller ones written past the caches
 * would have to be fetched again.
 */
int64_t large_from(int ranks);

/* What a rank has found in a segment; all zeros at first. */
struct large {
    int blocks;     /* since the latest beginning */
    int won;        /* pairs that the way past the caches has won */
    double rate[2]; /* seconds per byte, over the latest pair: memcpy(), past the caches */
    bool past;      /* the way that serves now is past the caches */
};

/* Copies a block as memcpy() does. */
void large_copy(struct large *l, void *to, const void *from, size_t bytes);

/* Counts a block that took `seconds`; large_copy() calls this. */
void large_time(struct large *l, bool past, double seconds, size_t bytes);
