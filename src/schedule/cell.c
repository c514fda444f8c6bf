/* SPDX-License-Identifier: BSD-2-Clause */
/* The sizes of a cell and of a group; see cell.h. */
#include "cell.h"

#include "schedule.h"

int64_t segment_cell_bytes(int ranks, int nodes)
{
    return ranks <= 2 && nodes == 1 ? 64 << 10 : ranks <= 32 ? 32 << 10 : ranks <= 128 ? 16 << 10 : 8 << 10;
}

int64_t segment_bytes(int ranks, int64_t cell)
{
    return SEGMENT_PAGE + ranks * (SEGMENT_PAGE + SEGMENT_DEPTH * cell);
}

int segment_group(int ranks)
{
    return ranks < 32 ? 1 : 8;
}
