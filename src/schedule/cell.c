/* SPDX-License-Identifier: BSD-2-Clause */
/* The sizes of a cell and of a group; see cell.h. */
#include "cell.h"

#include "cut.h"
#include "schedule.h"

int64_t segment_cell_bytes(int ranks, int nodes)
{
    return ranks <= 2 && nodes == 1 ? 64 << 10 : ranks <= 32 ? 32 << 10 : ranks <= 128 ? 16 << 10 : 8 << 10;
}

int64_t segment_cell_within(int ranks, bool crowded, int64_t share)
{
    int64_t cell = segment_cell_bytes(ranks, 1) * (crowded ? SEGMENT_LARGE : 1);
    while (cell > SEGMENT_LEAST && SEGMENT_AMPLE * segment_bytes(ranks, cell) > share * ranks)
        cell /= 2;
    return cell;
}

int segment_spot_log(int64_t cell)
{
    return ceil_log2(cell / SEGMENT_SPOTS < SEGMENT_SPOT ? cell / SEGMENT_SPOTS : SEGMENT_SPOT);
}

int64_t segment_counters(int64_t cell)
{
    const int64_t spots = SEGMENT_DEPTH * cell >> segment_spot_log(cell);
    return ceil_div(SEGMENT_COUNTERS + spots / SEGMENT_NOTES * SEGMENT_TURN, SEGMENT_PAGE) * SEGMENT_PAGE;
}

int64_t segment_bytes(int ranks, int64_t cell)
{
    return SEGMENT_PAGE + ranks * (segment_counters(cell) + SEGMENT_DEPTH * cell);
}

int segment_group(int ranks)
{
    return ranks < 32 ? 1 : 8;
}
