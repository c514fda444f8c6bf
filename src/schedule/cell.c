/* SPDX-License-Identifier: BSD-2-Clause */
/* The sizes of a cell and of a group; see cell.h. */
#include "cell.h"

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

int64_t segment_bytes(int ranks, int64_t cell)
{
    return SEGMENT_PAGE + ranks * (SEGMENT_PAGE + SEGMENT_DEPTH * cell);
}

int64_t segment_room(int ranks, int64_t cell)
{
    const int64_t most = SEGMENT_ROOM / (ranks * SEGMENT_DEPTH);
    int64_t room = 1;
    while (2 * room <= cell && 2 * room <= most)
        room *= 2;
    return room;
}

int segment_group(int ranks)
{
    return ranks < 32 ? 1 : 8;
}
