/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies out of cells into a message that is larger than the caches. A store to a line that is not in a cache first reads
 * that line from memory; a non-temporal store does not (copies.h). Which one is faster depends on the processor, and on how
 * many cores use the memory at the same time. So each rank finds out by the copies themselves:
 *
 *     LARGE_PAIRS times: LARGE_RUN blocks by memcpy(), then as many past the caches, each of them timed
 *     the way that was faster in most of these pairs serves the next blocks, up to block LARGE_AGAIN
 *     then all begins anew, because the memory or its other users may have changed
 *
 * The way is a matter of this rank alone: both ways write the same bytes, and no rank waits for another one here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LARGE_RUN = 8, LARGE_PAIRS = 8, LARGE_AGAIN = 1 << 14 }; /* blocks, pairs of runs, blocks; by hand */
enum { LARGE_PAIR = 2 * LARGE_RUN, LARGE_TIMED = LARGE_PAIRS * LARGE_PAIR }; /* blocks of a pair, of all pairs */

/*
 * The bytes from which a message is larger than the caches of one of `ranks` ranks on a node: several times the caches of a
 * core, and more than the rank's share of the last cache that cores share. If a smaller message were written past the
 * caches, the program would have to fetch it from memory again.
 */
int64_t large_from(int ranks);

/* What a rank knows of its large copies in a segment. All zeros: nothing yet. */
struct large {
    int blocks;     /* copied since the latest beginning */
    int won;        /* pairs in which the way past the caches was the faster one */
    double rate[2]; /* seconds per byte, summed over the blocks of the latest pair: by memcpy(), past the caches */
    bool past;      /* the way that serves */
};

/* Copies a block as memcpy() does. */
void large_copy(struct large *l, void *to, const void *from, size_t bytes);

/* Sums up one timed block that took `seconds`; `past` says by which way. large_copy() calls this. */
void large_time(struct large *l, bool past, double seconds, size_t bytes);
